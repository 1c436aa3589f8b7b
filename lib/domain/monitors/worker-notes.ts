import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { Prisma } from '@/lib/platform/db/generated/client';
import { toMs } from '@/lib/platform/db/moment-columns';
import { BUILT_IN_REGION_IDS, isOwnRegionId } from '@/lib/schemas/regions';
import { isUnserved, UNSERVED_AFTER_MS } from '@/lib/state/silence';
import { IS_PROBED } from './last-checks';
import { findOnePlace, type OnePlace, type Serving } from './one-place';

/** A worker without a heartbeat for this long is considered dead. */
const FRESH_MS = 30_000;

/** A region without a worker from which monitors of an organization are checked. */
export type UnservedRegion = {
  region: string;
  /** When it was last served; null: never. */
  since: Date | null;
  /** The number of enabled monitors checked from there, and of those checked only from regions without a worker. */
  monitors: number;
  withoutData: number;
};

/** What an organization should know about the workers. */
export type WorkerNotes = {
  /** Since when Inngest has not woken any worker, so workers wake themselves; null while it does. */
  inngestSilentSince: Date | null;
  /** The regions whose worker has lost its network, and since when its results are dropped, oldest first. */
  cutOff: { region: string; since: Date }[];
  /** The regions of the organization's enabled monitors without a worker for 60 seconds, by name. */
  unserved: UnservedRegion[];
  /** The place that is all built-in regions, if there is one. */
  onePlace: OnePlace | null;
  /** The names of the organization's own regions by ID, deleted ones included: old results have them. */
  regionNames: Record<string, string>;
};

/** Moments are epoch milliseconds: it is read together with others. */
type Row = {
  inngestSilentSince: number | null;
  cutOff: { regions: string[]; since: number }[];
  serving: Serving[];
  presence: Record<string, number>;
  names: WorkerNotes['regionNames'];
  used: { regions: string[]; monitors: number }[];
};

/** The state of the workers as every page of the dashboard shows it, in one query. */
export async function readWorkerNotes(ctx: OrganizationContext): Promise<WorkerNotes> {
  requirePermission(ctx, 'monitor.read');
  const { db, clock, organizationId } = ctx;
  const now = clock.now();
  const servedSince = new Date(now.getTime() - UNSERVED_AFTER_MS);
  const [row] = await db.$queryRaw<[Row]>`
    SELECT (SELECT ${toMs(Prisma.sql`min(inngest_silent_since)`)}
              FROM worker
             WHERE seen_at > ${new Date(now.getTime() - FRESH_MS)}) AS "inngestSilentSince",
           (SELECT coalesce(json_agg(json_build_object('regions', regions, 'since', ${toMs(Prisma.sql`cut_off_at`)})
                                     ORDER BY cut_off_at), '[]')
              FROM worker
             WHERE cut_off_at IS NOT NULL AND seen_at > ${new Date(now.getTime() - FRESH_MS)}) AS "cutOff",
           (SELECT coalesce(json_agg(json_build_object('machine', machine, 'regions', regions)), '[]')
              FROM worker
             WHERE seen_at > ${servedSince}) AS serving,
           (SELECT coalesce(json_object_agg(region, ${toMs(Prisma.sql`served_at`)}), '{}')
              FROM region_presence) AS presence,
           (SELECT coalesce(json_object_agg(id, name), '{}')
              FROM region
             WHERE organization_id = ${organizationId}) AS names,
           -- Reads every monitor, so only if some region has no worker.
           CASE WHEN EXISTS (
                  SELECT
                    FROM (SELECT unnest(${BUILT_IN_REGION_IDS}::text[]) AS id
                          UNION ALL
                          SELECT id
                            FROM region
                           WHERE organization_id = ${organizationId} AND deleted_at IS NULL) AS usable
                   WHERE NOT EXISTS (
                           SELECT FROM region_presence WHERE region = usable.id AND served_at > ${servedSince}))
                THEN (SELECT coalesce(json_agg(json_build_object('regions', regions, 'monitors', monitors)), '[]')
                        FROM (SELECT regions, count(*) AS monitors
                                FROM monitor
                               WHERE organization_id = ${organizationId} AND enabled AND ${IS_PROBED}
                               GROUP BY regions) AS used)
                ELSE '[]' END AS used`;
  const { inngestSilentSince, cutOff, serving, presence, names, used } = row;
  const unserved = listUnserved(presence, used, now);
  // The own regions of others are not its business.
  const concerns = (region: string) => !isOwnRegionId(region) || Object.hasOwn(names, region);
  return {
    inngestSilentSince: inngestSilentSince === null ? null : new Date(inngestSilentSince),
    cutOff: cutOff.flatMap(({ regions, since }) =>
      regions.filter(concerns).map((region) => ({ region, since: new Date(since) })),
    ),
    unserved,
    onePlace: findOnePlace({ serving, presence, unserved: unserved.map(({ region }) => region) }),
    regionNames: names,
  };
}

function listUnserved(presence: Row['presence'], used: Row['used'], now: Date): UnservedRegion[] {
  const isSilent = (region: string) => isUnserved(presence[region] ?? null, now.getTime());
  const regions = [...new Set(used.flatMap((each) => each.regions))].filter(isSilent).toSorted();
  const count = (rows: typeof used) => rows.reduce((sum, { monitors }) => sum + monitors, 0);
  return regions.map((region) => {
    const own = used.filter((each) => each.regions.includes(region));
    const withoutData = count(own.filter((each) => each.regions.every(isSilent)));
    const servedAt = presence[region];
    const since = servedAt === undefined ? null : new Date(servedAt);
    return { region, since, monitors: count(own), withoutData };
  });
}
