import { DomainError, invalidState } from '@/lib/core/errors';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import { requireExpectedVersion } from '@/lib/domain/context/expected-version';
import type { OrganizationContext, Role } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { requireRecentFactor } from '@/lib/domain/context/recent-factor';
import { lockOrganization } from '@/lib/domain/organizations/lock-organization';
import { revokeHandedLinks } from '@/lib/domain/people/one-time-links';
import type { PlanId } from '@/lib/plans/catalogue';
import type { Transaction } from '@/lib/platform/db/client';
import type { Member, MemberChanges } from '@/lib/schemas/people';
import { requireAssignableRole } from './authority';
import { getMember, readMembership } from './read-members';

/**
 * Changes a member's role, effective with their next request; does nothing without a role. Throws NOT_FOUND, FORBIDDEN (only
 * owners change owners) and VALIDATION_ERROR for the last owner.
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
      requireExpectedVersion(ctx, member);
      if (member.role === role) return;
      if (member.role === 'owner' || role === 'owner') requireRecentFactor(ctx);
      requireAssignableRole(now.actor, member.role);
      requireAssignableRole(now.actor, role);
      if (member.role === 'owner') await requireAnotherOwner(tx, { organizationId, userId });
      await setRole(tx, { organizationId, userId, role });
      const subject = { id: userId, label: member.email };
      const before = { role: member.role };
      await recordAudit(tx, ctx, { action: 'member.change', subject, before, after: { role } });
    });
  }
  return getMember(ctx, userId);
}

/**
 * Removes a member: their next request is rejected and the links they handed out are revoked. What they created, including API
 * keys, belongs to the organization and stays. Throws NOT_FOUND, FORBIDDEN (only owners remove owners) and VALIDATION_ERROR for the
 * last owner.
 */
export async function removeMember(ctx: OrganizationContext, userId: string): Promise<{ message: string }> {
  requirePermission(ctx, 'member.remove');
  await ctx.db.$transaction(async (tx) => {
    const { ctx: now } = await lockMembers(tx, ctx);
    requirePermission(now, 'member.remove');
    const member = await readMembership(tx, { organizationId: ctx.organizationId, userId });
    requireExpectedVersion(ctx, member);
    const { role, email } = member;
    requireAssignableRole(now.actor, role);
    if (role === 'owner') requireRecentFactor(ctx);
    await deleteMembership(tx, ctx, { userId, role });
    const subject = { id: userId, label: email };
    await recordAudit(tx, ctx, { action: 'member.remove', subject, before: { role } });
  });
  return { message: 'Member removed' };
}

/** Ends the caller's membership. Throws VALIDATION_ERROR for the last owner, FORBIDDEN for API keys. */
export async function leaveOrganization(ctx: OrganizationContext): Promise<void> {
  const { actor, organizationId } = ctx;
  if (actor.kind !== 'user') throw new DomainError('FORBIDDEN', 'Only a user can leave an organization.');
  const { userId } = actor;
  await ctx.db.$transaction(async (tx) => {
    await lockMembers(tx, ctx);
    const { role, email } = await readMembership(tx, { organizationId, userId });
    // Before the membership is deleted, because the entry contains the member's name.
    await recordAudit(tx, ctx, {
      action: 'member.leave',
      subject: { id: userId, label: email },
      before: { role },
    });
    await deleteMembership(tx, ctx, { userId, role });
  });
}

async function deleteMembership(
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
 * Transfers ownership: the member becomes an owner and the caller an admin. Throws FORBIDDEN, NOT_FOUND, and VALIDATION_ERROR if
 * the member is the caller.
 */
export async function transferOwnership(ctx: OrganizationContext, userId: string): Promise<void> {
  requirePermission(ctx, 'organization.transfer');
  requireRecentFactor(ctx);
  const { organizationId, actor } = ctx;
  await ctx.db.$transaction(async (tx) => {
    const { ctx: now } = await lockMembers(tx, ctx);
    requirePermission(now, 'organization.transfer');
    const heir = await readMembership(tx, { organizationId, userId });
    const giverId = actor.kind === 'user' ? actor.userId : null;
    if (giverId === userId) throw invalidState('You are already an owner.');
    await setRole(tx, { organizationId, userId, role: 'owner' });
    if (giverId !== null) await setRole(tx, { organizationId, userId: giverId, role: 'admin' });
    await recordAudit(tx, ctx, {
      action: 'organization.transfer',
      subject: { id: userId, label: heir.email },
      before: { role: heir.role },
      after: { role: 'owner', formerOwner: giverId },
    });
  });
}

/** Gives a member a role and revokes the links they handed out. Call under the lock of `lockMembers`. */
export async function setRole(
  tx: Transaction,
  { role, ...member }: { organizationId: string; userId: string; role: Role },
): Promise<void> {
  await tx.membership.update({ where: { organizationId_userId: member }, data: { role } });
  await revokeHandedLinks(tx, member);
}

/**
 * Locks the members of the organization until the transaction ends. Returns the plan and the context with the actor's current
 * role: of two owners who remove each other, only the first succeeds. Throws FORBIDDEN for a former member.
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
    throw new DomainError('FORBIDDEN', 'You are no longer a member of this organization.');
  }
  return { plan, ctx: { ...ctx, actor: { ...actor, role: membership.role } } };
}

/** Throws VALIDATION_ERROR if the organization would be left without an owner. Call under the lock of `lockMembers`. */
async function requireAnotherOwner(
  tx: Transaction,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<void> {
  const others = await tx.membership.count({
    where: { organizationId, role: 'owner', userId: { not: userId } },
  });
  if (others > 0) return;
  throw invalidState('This is the only owner of the organization. Make another member an owner first.');
}
