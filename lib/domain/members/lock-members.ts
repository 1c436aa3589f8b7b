import { DomainError } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { lockOrganization } from '@/lib/domain/organizations/lock-organization';
import type { PlanId } from '@/lib/plans/catalogue';
import type { Transaction } from '@/lib/platform/db/client';

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
