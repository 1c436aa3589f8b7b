import { DomainError } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { lockOrganization } from '@/lib/domain/organizations/lock-organization';
import type { PlanId } from '@/lib/plans/catalogue';
import { requireRegions } from '@/lib/plans/require-quota';
import type { Transaction } from '@/lib/platform/db/client';
import { isOwnRegionId, type OwnRegionId, type RegionId, UNKNOWN_REGION } from '@/lib/schemas/regions';

/** From where an organization can have something checked, as long as it is locked. */
export type UsableRegions = { plan: PlanId; own: ReadonlySet<string> };

/**
 * Locks the organization until the transaction ends, and reads its regions: none of them is deleted meanwhile. Throws NOT_FOUND if the
 * organization does not exist.
 */
export async function lockUsableRegions(tx: Transaction, organizationId: string): Promise<UsableRegions> {
  const plan = await lockOrganization(tx, organizationId);
  const where = { organizationId, deletedAt: null };
  const rows = await tx.region.findMany({ where, select: { id: true } });
  return { plan, own: new Set(rows.map(({ id }) => id)) };
}

/**
 * Throws PLAN_LIMIT_EXCEEDED for regions that the plan does not include, and UNKNOWN_REGION, with a detail for each, for own regions
 * that the organization does not have: the same whether they belong to another one or do not exist. Those in `kept` are not checked.
 */
export function requireUsable(
  { plan, own }: UsableRegions,
  regions: readonly RegionId[],
  kept: readonly RegionId[] = [],
): void {
  requireRegions(
    plan,
    regions.filter((region) => !kept.includes(region)),
  );
  requireKnown(regions, (region) => own.has(region) || kept.includes(region));
}

/** Throws UNKNOWN_REGION like `requireUsable`, whatever the plan, for what only simulates. */
export async function requireOwn(
  { db, organizationId }: Pick<OrganizationContext, 'db' | 'organizationId'>,
  regions: readonly RegionId[],
): Promise<void> {
  if (!regions.some(isOwnRegionId)) return;
  const where = { organizationId, deletedAt: null, id: { in: [...regions] } };
  const rows = await db.region.findMany({ where, select: { id: true } });
  requireKnown(regions, (region) => rows.some(({ id }) => id === region));
}

function requireKnown(regions: readonly RegionId[], isOwn: (region: OwnRegionId) => boolean): void {
  const isKnown = (region: RegionId) => !isOwnRegionId(region) || isOwn(region);
  const details = regions.flatMap((region, index) =>
    isKnown(region) ? [] : [{ path: `regions.${index}`, code: 'unknown_region', message: UNKNOWN_REGION }],
  );
  if (details.length === 0) return;
  const places = details.map(({ path }) => path).join(', ');
  throw new DomainError('UNKNOWN_REGION', `The request is not valid: ${places}.`, details);
}
