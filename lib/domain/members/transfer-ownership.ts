import { DomainError } from '@/lib/core/errors';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { endHandedLinks } from '@/lib/domain/people/handed-links';
import { lockMembers } from './lock-members';
import { readMembership } from './read-members';

/**
 * Hands the organization over: the member becomes an owner, and the owner who asks an admin, both or neither. Throws
 * FORBIDDEN, NOT_FOUND, and CONFLICT for handing it to oneself.
 */
export async function transferOwnership(ctx: OrganizationContext, userId: string): Promise<void> {
  requirePermission(ctx, 'organization.transfer');
  const { organizationId, actor } = ctx;
  await ctx.db.$transaction(async (tx) => {
    const { ctx: now } = await lockMembers(tx, ctx);
    requirePermission(now, 'organization.transfer');
    const heir = await readMembership(tx, { organizationId, userId });
    const giverId = actor.kind === 'user' ? actor.userId : null;
    if (giverId === userId) throw new DomainError('CONFLICT', 'You are an owner already.');
    const setRole = async (id: string, role: 'owner' | 'admin') => {
      await tx.membership.update({
        where: { organizationId_userId: { organizationId, userId: id } },
        data: { role },
      });
      await endHandedLinks(tx, { organizationId, userId: id });
    };
    await setRole(userId, 'owner');
    if (giverId !== null) await setRole(giverId, 'admin');
    const subject = { id: userId, label: heir.email };
    const before = { role: heir.role };
    await recordAudit(tx, ctx, {
      action: 'organization.transfer',
      subject,
      before,
      after: { role: 'owner', formerOwner: giverId },
    });
  });
}
