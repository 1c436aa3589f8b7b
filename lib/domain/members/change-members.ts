import { DomainError } from '@/lib/core/errors';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { lockOrganization } from '@/lib/domain/organizations/change-organization';
import { revokeHandedLinks } from '@/lib/domain/people/one-time-links';
import type { PlanId } from '@/lib/plans/catalogue';
import type { Transaction } from '@/lib/platform/db/client';
import type { Member, MemberChanges } from '@/lib/schemas/people';
import { requireAssignableRole } from './authority';
import { getMember, readMembership } from './read-members';

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
      requireAssignableRole(now.actor, member.role);
      requireAssignableRole(now.actor, role);
      if (member.role === 'owner') await requireAnotherOwner(tx, { organizationId, userId });
      await tx.membership.update({
        where: { organizationId_userId: { organizationId, userId } },
        data: { role },
      });
      await revokeHandedLinks(tx, { organizationId, userId });
      const subject = { id: userId, label: member.email };
      const before = { role: member.role };
      await recordAudit(tx, ctx, { action: 'member.change', subject, before, after: { role } });
    });
  }
  return getMember(ctx, userId);
}

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
    requireAssignableRole(now.actor, role);
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
  await revokeHandedLinks(tx, { organizationId, userId });
  await tx.session.updateMany({ where: { organizationId, userId }, data: { organizationId: null } });
}

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
      await revokeHandedLinks(tx, { organizationId, userId: id });
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

/**
 * Locks who belongs to the organization until the transaction ends, and answers the plan and the context with the actor's
 * role as of now: of two owners who remove each other, the second is none any more. Throws FORBIDDEN for a person who is
 * no member any more.
 */
export async function lockMembers<Context extends OrganizationContext>(
  tx: Transaction,
  ctx: Context,
): Promise<{ plan: PlanId; ctx: Context }> {
  const { organizationId, actor } = ctx;
  const plan = await lockOrganization(tx, organizationId);
  if (actor.kind !== 'user') return { plan, ctx };
  const { userId } = actor;
  const membership = await tx.membership.findUnique({
    where: { organizationId_userId: { organizationId, userId } },
    select: { role: true },
  });
  if (membership === null) {
    throw new DomainError('FORBIDDEN', 'You are not a member of this organization any more.');
  }
  return { plan, ctx: { ...ctx, actor: { ...actor, role: membership.role } } };
}

/** Refuses (CONFLICT) what would leave the organization without an owner. Ask under the lock of `lockMembers`. */
async function requireAnotherOwner(
  tx: Transaction,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<void> {
  const others = await tx.membership.count({
    where: { organizationId, role: 'owner', userId: { not: userId } },
  });
  if (others > 0) return;
  throw new DomainError(
    'CONFLICT',
    'This is the only owner, and an organization needs one. Make another member an owner first.',
  );
}
