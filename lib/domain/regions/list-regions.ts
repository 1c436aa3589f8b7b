import { requireFound } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { Prisma } from '@/lib/platform/db/generated/client';
import { isoColumn } from '@/lib/platform/db/moment-columns';
import type { Region } from '@/lib/schemas/monitor/region';
import { BUILT_IN_REGION_IDS, BUILT_IN_REGIONS, compareRegions, type RegionId } from '@/lib/schemas/regions';
import { formatPlace } from '@/lib/schemas/regions/places';

/** A worker without a heartbeat for this long is not counted, as in /health. */
const LIVE_MS = 15_000;

type WorkerRow = { host: string | null; machine: string | null };
type Own = { name: string; place: string; version: number; createdAt: string; updatedAt: string };
type Row = { id: RegionId; own: Own | null; lastSeenAt: string | null; workers: WorkerRow[] };

/**
 * The regions, first those that are built in, then the organization's own, oldest first; with the workers and probes that serve each, and
 * the machines they run on, in one query. Host names only with `showsHosts`: where strangers can sign up, they are the operator's.
 * Throws FORBIDDEN.
 */
export async function listRegions(
  ctx: OrganizationContext,
  { showsHosts }: { showsHosts: boolean },
): Promise<Region[]> {
  requirePermission(ctx, 'region.read');
  const { db, clock, organizationId } = ctx;
  const liveSince = new Date(clock.now().getTime() - LIVE_MS);
  const rows = await db.$queryRaw<Row[]>`
    SELECT listed.id, own, ${isoColumn(Prisma.sql`served_at`)} AS "lastSeenAt",
           (SELECT coalesce(json_agg(json_build_object('host', host, 'machine', machine) ORDER BY host, id), '[]')
              FROM worker
             WHERE seen_at > ${liveSince} AND listed.id = ANY(regions)) AS workers
      FROM (SELECT unnest(${BUILT_IN_REGION_IDS}::text[]) AS id, NULL::json AS own
            UNION ALL
            SELECT id, json_build_object('name', name, 'place', place, 'version', version,
                                         'createdAt', created_at, 'updatedAt', updated_at)
              FROM region
             WHERE organization_id = ${organizationId} AND deleted_at IS NULL) AS listed
      LEFT JOIN region_presence ON region = listed.id`;
  return rows
    .toSorted((a, b) => compareRegions(a.id, b.id))
    .map(({ id, own, lastSeenAt, workers }) => ({
      id,
      ...formatRegion(id, own),
      workers: workers.length,
      machines: listMachines(workers, showsHosts),
      lastSeenAt,
    }));
}

/** One region. Throws FORBIDDEN, and NOT_FOUND, also for deleted ones and those of other organizations. */
export async function getRegion(
  ctx: OrganizationContext,
  id: string,
  options: { showsHosts: boolean },
): Promise<Region> {
  const regions = await listRegions(ctx, options);
  return requireFound(
    regions.find((region) => region.id === id),
    'Region',
  );
}

function formatRegion(id: RegionId, own: Own | null) {
  if (own !== null) {
    const times = { createdAt: toInstant(own.createdAt), updatedAt: toInstant(own.updatedAt) };
    return { ...own, ...times, location: formatPlace(own.place), isOwn: true };
  }
  const region = BUILT_IN_REGIONS.find((each) => each.id === id);
  const { name = id, location = '' } = region ?? {};
  return { name, location, isOwn: false, place: null, version: null, createdAt: null, updatedAt: null };
}

function toInstant(text: string): string {
  return new Date(text).toISOString();
}

/** Each machine once, by the host of its first worker. Workers of older versions do not name theirs. */
function listMachines(workers: readonly WorkerRow[], showsHosts: boolean): Region['machines'] {
  const hosts = new Map<string, string | null>();
  for (const { host, machine } of workers) {
    if (machine !== null && !hosts.has(machine)) hosts.set(machine, showsHosts ? host : null);
  }
  return [...hosts].map(([id, host]) => ({ id, host }));
}
