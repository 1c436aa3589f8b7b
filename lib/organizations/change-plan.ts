import type { Services } from '@/lib/context/services';
import { DomainError } from '@/lib/core/errors';
import type { PlanId } from '@/lib/plans/catalogue';

/** Puts an organization on a plan. A downgrade stops nothing that runs and refuses growth. Throws NOT_FOUND. */
export async function changePlan(
  { db, clock }: Services,
  organizationId: string,
  plan: PlanId,
): Promise<void> {
  const { count } = await db.organization.updateMany({
    where: { id: organizationId },
    data: { plan, updatedAt: clock.now() },
  });
  if (count === 0) throw new DomainError('NOT_FOUND', `There is no organization ${organizationId}.`);
}
