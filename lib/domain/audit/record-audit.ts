import { createId } from '@/lib/core/ids';
import { mapInTurns } from '@/lib/core/map-in-turns';
import { currentRequest } from '@/lib/core/request-context';
import { storableJson } from '@/lib/core/storable-text';
import type { Actor, OrganizationContext } from '@/lib/domain/context/organization-context';
import type { Transaction } from '@/lib/platform/db/client';
import type { Prisma } from '@/lib/platform/db/generated/client';
import { noteLive } from '@/lib/platform/live/note-live';
import type { AuditedActionName } from '@/lib/schemas/audit';
import { SECRET_FIELDS } from '@/lib/schemas/monitor/fields';

type Value = Prisma.InputJsonValue | null;

/** Field values as stored or returned; compared by their JSON. */
export type Fields = Readonly<Record<string, Value | undefined>>;

/** Placeholder for secret values. */
const HIDDEN = '(hidden)';

/** Fields whose value is or may contain a secret. */
const SECRETS = new Set<string>([
  ...SECRET_FIELDS,
  'secret',
  'credentials',
  'apiKey',
  'password',
  'passwordHash',
  'token',
  'hash',
]);

/** URLs that may carry a token in their path, as those of chat products do. */
const SECRET_PATHS = new Set(['receiver']);

/** Fields that change as a side effect. */
const IGNORED_FIELDS = new Set([
  'updatedAt',
  'lastCheckedAt',
  'lastResponseTime',
  'lastUsedAt',
  'lastSeenAt',
]);

/** An action on a subject. `before` is omitted if it was created, `after` if it was deleted. */
export type AuditedAction = {
  action: AuditedActionName;
  subject: { id: string; label: string };
  before?: Fields | null;
  after?: Fields | null;
};

type AuditContext = Pick<OrganizationContext, 'organizationId' | 'actor' | 'clock' | 'address'>;

/**
 * Writes an audit log entry in the transaction of the action. Changes that leave every field as it was are not logged. Open
 * dashboards of the organization are notified at commit.
 */
export async function recordAudit(tx: Transaction, ctx: AuditContext, action: AuditedAction): Promise<void> {
  await recordAudits(tx, ctx, [action]);
}

/** The same for several actions: one entry each, in a fixed number of statements. */
export async function recordAudits(tx: Transaction, ctx: AuditContext, actions: readonly AuditedAction[]) {
  await writeAudits(tx, ctx, await mapInTurns(actions, draftAudit));
}

/** An entry as JSON but for what the entries of a transaction have in common; null if every field is as it was. */
export type AuditDraft = string | null;

/** Prepares an entry, which `writeAudits` writes: of hundreds, before their transaction. */
export function draftAudit({ action, subject, before = null, after = null }: AuditedAction): AuditDraft {
  const diff = diffFields(before, after);
  if (diff.before && diff.after && isEmpty(diff.before) && isEmpty(diff.after)) return null;
  const id = createId('auditEntry');
  return storableJson({ id, action, subject_id: subject.id, subject_label: subject.label, ...diff });
}

/** Writes prepared entries like `recordAudits`. */
export async function writeAudits(tx: Transaction, ctx: AuditContext, drafts: readonly AuditDraft[]) {
  const entries = drafts.filter((draft) => draft !== null);
  if (entries.length === 0) return;
  const { actorKind, actorId, actorLabel } = await labelActor(tx, ctx.actor);
  await tx.$executeRaw`
    INSERT INTO audit_entry (organization_id, at, actor_kind, actor_id, actor_label, address, request_id,
                             id, action, subject_id, subject_label, before, after)
    SELECT ${ctx.organizationId}, ${ctx.clock.now()}, ${actorKind}::actor_kind, ${actorId}, ${actorLabel},
           ${ctx.address ?? null}, ${currentRequest()?.requestId ?? null},
           id, action, subject_id, subject_label, before, after
      FROM jsonb_populate_recordset(NULL::audit_entry, ${`[${entries.join()}]`}::jsonb)`;
  await noteLive(tx, [{ kind: 'changes', organizationIds: [ctx.organizationId] }]);
}

function isEmpty(fields: object): boolean {
  return Object.keys(fields).length === 0;
}

/** The fields of `before` and `after` that differ, with secrets hidden; null if there is no state before or after. */
export function diffFields(before: Fields | null, after: Fields | null) {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  const changed = [...names].filter(
    (name) => !IGNORED_FIELDS.has(name) && encode(before?.[name]) !== encode(after?.[name]),
  );
  return { before: before && pick(before, changed), after: after && pick(after, changed) };
}

function encode(value: Value | undefined): string {
  // Most values of a creation or deletion: one side has none.
  return value === undefined || value === null ? 'null' : JSON.stringify(value);
}

function pick(fields: Fields, names: string[]): Prisma.InputJsonObject {
  return Object.fromEntries(names.map((name) => [name, readable(name, fields[name] ?? null)]));
}

/** Hides secrets: of headers only the names remain, of receivers the host. */
function readable(name: string, value: Value): Value {
  if (value === null) return null;
  if (SECRETS.has(name) || /sealed$/i.test(name)) {
    if (typeof value !== 'object') return HIDDEN;
    return Object.fromEntries(Object.keys(value).map((part) => [part, HIDDEN]));
  }
  if (SECRET_PATHS.has(name) && typeof value === 'string') return `${new URL(value).origin}/${HIDDEN}`;
  return value;
}

/** The actor with their current name, which outlives the user or key. */
export async function labelActor(tx: Transaction, actor: Actor) {
  switch (actor.kind) {
    case 'operator':
      return { actorKind: 'operator' as const, actorId: null, actorLabel: 'command line' };
    case 'endpoint': {
      const { webhookId, readers } = actor;
      return { actorKind: 'endpoint' as const, actorId: webhookId, actorLabel: `someone in ${readers}` };
    }
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
