import { createId } from '@/lib/core/ids';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import type { Action } from '@/lib/domain/context/permissions';
import type { Transaction } from '@/lib/platform/db/client';
import { noteLive } from '@/lib/platform/live/note-live';
import { describeActor } from './describe-actor';
import { describeChange, type Fields } from './describe-change';

/** What people do about themselves: nobody's permission is asked. */
export type OwnDeed = 'invitation.accept' | 'member.leave' | 'organization.create';

/** What was done to what. `before` is left out where something was made, `after` where it was removed. */
export type Deed = {
  action: Action | OwnDeed;
  subject: { id: string; label: string };
  before?: Fields | null;
  after?: Fields | null;
};

type Actor = Pick<OrganizationContext, 'organizationId' | 'actor' | 'clock' | 'address'>;

/**
 * Writes who did what into the audit log, in the transaction of the deed: one is there if and only if the other is. The
 * actor is named as of now, for people and keys come and go. A change that leaves every field as it was is none, and
 * leaves no entry. Whoever looks at the organization is told at commit that there is something new.
 */
export async function recordAudit(tx: Transaction, ctx: Actor, deed: Deed): Promise<void> {
  await recordAudits(tx, ctx, [deed]);
}

/** The same for several deeds at once: one entry each, in two statements however many. */
export async function recordAudits(tx: Transaction, ctx: Actor, deeds: readonly Deed[]): Promise<void> {
  const changes = deeds
    .map((deed) => ({ deed, ...describeChange(deed.before ?? null, deed.after ?? null) }))
    .filter(({ before, after }) => !(before && after && isEmpty(before) && isEmpty(after)));
  if (changes.length === 0) return;
  const actor = await describeActor(tx, ctx.actor);
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
