import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';

/** A region with a worker that is cut off from its network, and since when its results are dropped. */
export type CutOffRegion = { region: string; since: Date };

/** The regions from which nothing trustworthy comes at the moment, oldest outage first. */
export async function readCutOffRegions(ctx: OrganizationContext): Promise<CutOffRegion[]> {
  requirePermission(ctx, 'monitor.read');
  const workers = await ctx.db.worker.findMany({
    where: { cutOffAt: { not: null } },
    orderBy: { cutOffAt: 'asc' },
  });
  return workers.flatMap(({ regions, cutOffAt }) =>
    regions.flatMap((region) => (cutOffAt ? [{ region, since: cutOffAt }] : [])),
  );
}
