import { DomainError } from '@/lib/core/errors';
import type { PlanId } from '@/lib/plans/catalogue';
import type { Transaction } from '@/lib/platform/db/client';

/**
 * Locks the organization's row (not its key: rows that refer to it can still be written) until the transaction ends, so that two parallel creates cannot both take the last free
 * place of the plan. Answers the plan; throws NOT_FOUND when the organization is gone.
 */
export async function lockOrganization(tx: Transaction, organizationId: string): Promise<PlanId> {
  const rows = await tx.$queryRaw<{ plan: PlanId }[]>`
    SELECT plan::text AS plan FROM organization WHERE id = ${organizationId} FOR NO KEY UPDATE`;
  const plan = rows[0]?.plan;
  if (plan === undefined) throw new DomainError('NOT_FOUND', 'There is no such organization.');
  return plan;
}
