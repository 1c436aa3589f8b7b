import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { endHandedLinks } from '@/lib/domain/people/handed-links';
import type { Member, MemberChanges } from '@/lib/schemas/member';
import { requireReach } from './authority';
import { lockMembers } from './lock-members';
import { getMember, readMembership } from './read-members';
import { requireAnotherOwner } from './require-another-owner';

/**
 * Gives a member another role, which counts at the person's next request; without a role it changes nothing. Throws
 * NOT_FOUND, FORBIDDEN (an owner's role and the role of owner are for owners to give) and CONFLICT for the last owner.
 */
export async function changeRole(
  ctx: OrganizationContext,
  userId: string,
  { role }: MemberChanges,
): Promise<Member> {
  requirePermission(ctx, 'member.change');
  if (role !== undefined) {
    const { organizationId } = ctx;
    await ctx.db.$transaction(async (tx) => {
      const { ctx: now } = await lockMembers(tx, ctx);
      requirePermission(now, 'member.change');
      const member = await readMembership(tx, { organizationId, userId });
      if (member.role === role) return;
      requireReach(now.actor, member.role);
      requireReach(now.actor, role);
      if (member.role === 'owner') await requireAnotherOwner(tx, { organizationId, userId });
      await tx.membership.update({
        where: { organizationId_userId: { organizationId, userId } },
        data: { role },
      });
      await endHandedLinks(tx, { organizationId, userId });
      const subject = { id: userId, label: member.email };
      const before = { role: member.role };
      await recordAudit(tx, ctx, { action: 'member.change', subject, before, after: { role } });
    });
  }
  return getMember(ctx, userId);
}
