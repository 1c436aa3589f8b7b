import { requireFound } from '@/lib/core/errors';
import type { PlanId } from '@/lib/plans/catalogue';
import type { Transaction } from '@/lib/platform/db/client';

/**
 * Locks the organization until the transaction ends, so that concurrent creates cannot exceed the quota; rows that reference
 * it can still be written. Returns the plan; throws NOT_FOUND if the organization does not exist.
 */
export async function lockOrganization(tx: Transaction, organizationId: string): Promise<PlanId> {
  const rows = await tx.$queryRaw<{ plan: PlanId }[]>`
    SELECT plan::text AS plan FROM organization WHERE id = ${organizationId} FOR NO KEY UPDATE`;
  return requireFound(rows[0], 'Organization').plan;
}
