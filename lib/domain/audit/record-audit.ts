import { createId } from '@/lib/core/ids';
import type { Actor, OrganizationContext } from '@/lib/domain/context/organization-context';
import type { Action } from '@/lib/domain/context/permissions';
import type { Transaction } from '@/lib/platform/db/client';
import type { Prisma } from '@/lib/platform/db/generated/client';
import { noteLive } from '@/lib/platform/live/note-live';
import { SECRET_FIELDS } from '@/lib/schemas/monitor/fields';

type Value = Prisma.InputJsonValue | null;

/** Field values as they are stored or answered; compared by their JSON. */
export type Fields = Readonly<Record<string, Value | undefined>>;

/** What an entry keeps of a change: the fields that differ, with secrets named but not shown. */
type Change = { before: Prisma.InputJsonObject | null; after: Prisma.InputJsonObject | null };

/** Said in place of what nobody may read in the log. */
const HIDDEN = '(hidden)';

/** Fields whose value is a secret, or may hold one. */
const SECRETS = new Set<string>([
  ...SECRET_FIELDS,
  ...['secret', 'apiKey', 'password', 'passwordHash', 'token', 'hash'],
]);

/** Addresses that may carry a token behind their host, as those of chat products do. */
const SECRET_PATHS = new Set(['receiver']);

/** Not worth an entry: they follow from the change, or from the passing of time. */
const IGNORED_FIELDS = new Set([
  'updatedAt',
  'lastCheckedAt',
  'lastResponseTime',
  'lastUsedAt',
  'lastSeenAt',
]);

/** What people do about themselves: nobody's permission is asked. */
export type OwnAction = 'invitation.accept' | 'member.leave' | 'organization.create';

/** What was done to what. `before` is left out where something was made, `after` where it was removed. */
export type Deed = {
  action: Action | OwnAction;
  subject: { id: string; label: string };
  before?: Fields | null;
  after?: Fields | null;
};

type AuditContext = Pick<OrganizationContext, 'organizationId' | 'actor' | 'clock' | 'address'>;

/**
 * Writes who did what into the audit log, in the transaction of the deed: one is there if and only if the other is. The
 * actor is named as of now, for people and keys come and go. A change that leaves every field as it was is none, and
 * leaves no entry. Whoever looks at the organization is told at commit that there is something new.
 */
export async function recordAudit(tx: Transaction, ctx: AuditContext, deed: Deed): Promise<void> {
  await recordAudits(tx, ctx, [deed]);
}

/** The same for several deeds at once: one entry each, in two statements however many. */
export async function recordAudits(
  tx: Transaction,
  ctx: AuditContext,
  deeds: readonly Deed[],
): Promise<void> {
  const changes = deeds
    .map((deed) => ({ deed, ...diffFields(deed.before ?? null, deed.after ?? null) }))
    .filter(({ before, after }) => !(before && after && isEmpty(before) && isEmpty(after)));
  if (changes.length === 0) return;
  const actor = await labelActor(tx, ctx.actor);
  await tx.auditEntry.createMany({
    data: changes.map(({ deed, before, after }) => ({
      id: createId('auditEntry'),
      organizationId: ctx.organizationId,
      at: ctx.clock.now(),
      action: deed.action,
      ...actor,
      subjectId: deed.subject.id,
      subjectLabel: deed.subject.label,
      before: before ?? undefined,
      after: after ?? undefined,
      address: ctx.address ?? null,
    })),
  });
  await noteLive(tx, [{ kind: 'changes', organizationIds: [ctx.organizationId] }]);
}

function isEmpty(fields: object): boolean {
  return Object.keys(fields).length === 0;
}

/** The fields of `before` and `after` that differ; null stands for what was not there yet, or is no more. */
export function diffFields(before: Fields | null, after: Fields | null): Change {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  const changed = [...names].filter(
    (name) => !IGNORED_FIELDS.has(name) && encode(before?.[name]) !== encode(after?.[name]),
  );
  return { before: before && pick(before, changed), after: after && pick(after, changed) };
}

function encode(value: Value | undefined): string {
  return JSON.stringify(value ?? null);
}

function pick(fields: Fields, names: string[]): Prisma.InputJsonObject {
  return Object.fromEntries(names.map((name) => [name, readable(name, fields[name] ?? null)]));
}

/** A secret that is set is only said to be there; of headers the names are shown, of receivers the host. */
function readable(name: string, value: Value): Value {
  if (value === null) return null;
  if (SECRETS.has(name) || /sealed$/i.test(name)) {
    if (typeof value !== 'object') return HIDDEN;
    return Object.fromEntries(Object.keys(value).map((part) => [part, HIDDEN]));
  }
  if (SECRET_PATHS.has(name) && typeof value === 'string') return `${new URL(value).origin}/${HIDDEN}`;
  return value;
}

/** Who acts, and what they are called as of now: people and keys come and go. */
export async function labelActor(tx: Transaction, actor: Actor) {
  switch (actor.kind) {
    case 'operator':
      return { actorKind: 'operator' as const, actorId: null, actorLabel: 'command line' };
    case 'key': {
      const key = await tx.apiKey.findUnique({
        where: { id: actor.keyId },
        select: { name: true, hint: true },
      });
      const actorLabel = key ? `${key.name} (${key.hint}…)` : actor.keyId;
      return { actorKind: 'key' as const, actorId: actor.keyId, actorLabel };
    }
    case 'user': {
      const user = await tx.user.findUnique({ where: { id: actor.userId }, select: { email: true } });
      return { actorKind: 'user' as const, actorId: actor.userId, actorLabel: user?.email ?? actor.userId };
    }
  }
}
