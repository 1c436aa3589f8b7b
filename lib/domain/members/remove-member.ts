import { DomainError } from '@/lib/core/errors';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { endHandedLinks } from '@/lib/domain/people/handed-links';
import type { Transaction } from '@/lib/platform/db/client';
import { requireReach } from './authority';
import { lockMembers } from './lock-members';
import { readMembership } from './read-members';
import { requireAnotherOwner } from './require-another-owner';

/**
 * Takes a person out of the organization; their next request is refused, and the links they handed out end. What they
 * created stays, the API keys too: those belong to the organization. Throws NOT_FOUND, FORBIDDEN (only an owner
 * removes an owner) and CONFLICT for the last owner.
 */
export async function removeMember(ctx: OrganizationContext, userId: string): Promise<{ message: string }> {
  requirePermission(ctx, 'member.remove');
  await ctx.db.$transaction(async (tx) => {
    const { ctx: now } = await lockMembers(tx, ctx);
    requirePermission(now, 'member.remove');
    const { role, email } = await readMembership(tx, { organizationId: ctx.organizationId, userId });
    requireReach(now.actor, role);
    await takeOut(tx, ctx, { userId, role });
    const subject = { id: userId, label: email };
    await recordAudit(tx, ctx, { action: 'member.remove', subject, before: { role } });
  });
  return { message: 'Member removed' };
}

/** Ends the membership of the person who asks. Throws CONFLICT for the last owner, FORBIDDEN for who is no person. */
export async function leaveOrganization(ctx: OrganizationContext): Promise<void> {
  const { actor, organizationId } = ctx;
  if (actor.kind !== 'user') throw new DomainError('FORBIDDEN', 'Only a person can leave an organization.');
  const { userId } = actor;
  await ctx.db.$transaction(async (tx) => {
    await lockMembers(tx, ctx);
    const { role, email } = await readMembership(tx, { organizationId, userId });
    // While the person is still a member, for the entry names them as of now.
    await recordAudit(tx, ctx, {
      action: 'member.leave',
      subject: { id: userId, label: email },
      before: { role },
    });
    await takeOut(tx, ctx, { userId, role });
  });
}

async function takeOut(
  tx: Transaction,
  { organizationId }: OrganizationContext,
  { userId, role }: { userId: string; role: string },
): Promise<void> {
  if (role === 'owner') await requireAnotherOwner(tx, { organizationId, userId });
  await tx.membership.delete({ where: { organizationId_userId: { organizationId, userId } } });
  await endHandedLinks(tx, { organizationId, userId });
  await tx.session.updateMany({ where: { organizationId, userId }, data: { organizationId: null } });
}
