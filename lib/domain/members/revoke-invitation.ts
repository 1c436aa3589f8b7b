import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { requireReach } from './authority';
import { lockMembers } from './lock-members';
import { invitationNotFound } from './read-invitations';

/** Takes an open invitation back: its link is worth nothing from then on. Throws FORBIDDEN and NOT_FOUND. */
export async function revokeInvitation(ctx: OrganizationContext, id: string): Promise<{ message: string }> {
  requirePermission(ctx, 'invitation.revoke');
  const { organizationId } = ctx;
  await ctx.db.$transaction(async (tx) => {
    const { ctx: current } = await lockMembers(tx, ctx);
    const where = { id, organizationId, kind: 'invitation', usedAt: null } as const;
    const invitation = await tx.oneTimeToken.findFirst({ where, select: { email: true, role: true } });
    if (invitation === null) throw invitationNotFound();
    const { email, role } = invitation;
    if (role !== null) requireReach(current.actor, role);
    const { count } = await tx.oneTimeToken.deleteMany({ where });
    if (count === 0) throw invitationNotFound();
    const subject = { id, label: email };
    await recordAudit(tx, ctx, { action: 'invitation.revoke', subject, before: { email, role } });
  });
  return { message: 'Invitation revoked' };
}
