import { DomainError, requireFound } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import type { Database, Transaction } from '@/lib/platform/db/client';
import type { Region } from '@/lib/platform/db/generated/client';
import { isBuiltInRegionId } from '@/lib/schemas/regions';

type Reader = Pick<Database | Transaction, 'region'>;

/**
 * The own region with an ID. Throws NOT_FOUND, also for a deleted one and that of another organization, and FORBIDDEN for a built-in one:
 * its probes check the monitors of every organization, so they are the operator's.
 */
export async function requireOwnRegion(
  db: Reader,
  { organizationId }: Pick<OrganizationContext, 'organizationId'>,
  id: string,
): Promise<Region> {
  if (isBuiltInRegionId(id)) {
    throw new DomainError(
      'FORBIDDEN',
      'Built-in regions are served by the operator of this service, who manages their tokens and probes at the command line.',
    );
  }
  return requireFound(
    await db.region.findFirst({ where: { id, organizationId, deletedAt: null } }),
    'Region',
  );
}

/** The same, locked until the transaction ends: it is not deleted meanwhile, and what belongs to it changes one at a time. */
export async function lockOwnRegion(
  tx: Transaction,
  ctx: Pick<OrganizationContext, 'organizationId'>,
  id: string,
): Promise<Region> {
  await tx.$queryRaw`SELECT 1 FROM region WHERE id = ${id} AND organization_id = ${ctx.organizationId} FOR UPDATE`;
  return requireOwnRegion(tx, ctx, id);
}
