import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { isUnserved } from '@/lib/state/silence';
import { readRegionPresence } from './region-presence';

/** A region without a worker that an organization's monitors are checked from. */
export type UnservedRegion = {
  region: string;
  /** When it was last served; null where it never was. */
  since: Date | null;
  /** How many enabled monitors are checked from there, and how many of them from no region with a worker. */
  monitors: number;
  withoutData: number;
};

/** The regions of the organization's enabled monitors in which no worker has lived for 60 s, by name, in two queries. */
export async function readUnservedRegions(ctx: OrganizationContext): Promise<UnservedRegion[]> {
  requirePermission(ctx, 'monitor.read');
  const now = ctx.clock.now().getTime();
  const [presence, used] = await Promise.all([
    readRegionPresence(ctx),
    ctx.db.$queryRaw<{ regions: string[]; monitors: number }[]>`
      SELECT regions, count(*)::int AS monitors FROM monitor
       WHERE organization_id = ${ctx.organizationId} AND enabled GROUP BY regions`,
  ]);
  const isSilent = (region: string) => isUnserved(presence.get(region)?.getTime() ?? null, now);
  const regions = [...new Set(used.flatMap((each) => each.regions))].filter(isSilent).toSorted();
  const count = (rows: typeof used) => rows.reduce((sum, { monitors }) => sum + monitors, 0);
  return regions.map((region) => {
    const own = used.filter((each) => each.regions.includes(region));
    const withoutData = count(own.filter((each) => each.regions.every(isSilent)));
    return { region, since: presence.get(region) ?? null, monitors: count(own), withoutData };
  });
}
