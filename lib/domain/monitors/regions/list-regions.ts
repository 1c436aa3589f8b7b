import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Region } from '@/lib/schemas/monitor/region';
import { REGIONS, type RegionId } from '@/lib/schemas/regions';

/** A worker without a heartbeat for this long is not counted, as in /health. */
const LIVE_MS = 15_000;

type WorkerRow = { host: string | null; machine: string | null };
type Row = { region: RegionId; lastSeenAt: Date | null; workers: WorkerRow[] };

/**
 * The regions, with the workers that probe for each and the machines they run on, in one query. Host names only with `showsHosts`: where
 * strangers can sign up, they are the operator's. Throws FORBIDDEN.
 */
export async function listRegions(
  ctx: OrganizationContext,
  { showsHosts }: { showsHosts: boolean },
): Promise<Region[]> {
  requirePermission(ctx, 'monitor.read');
  const { db, clock } = ctx;
  const liveSince = new Date(clock.now().getTime() - LIVE_MS);
  const rows = await db.$queryRaw<Row[]>`
    SELECT region, served_at AS "lastSeenAt", (
             SELECT coalesce(json_agg(json_build_object('host', host, 'machine', machine) ORDER BY host, id), '[]')
               FROM worker WHERE seen_at > ${liveSince} AND region_presence.region = ANY(regions)) AS workers
      FROM region_presence`;
  return REGIONS.map(({ id, name, location }) => {
    const { lastSeenAt = null, workers = [] } = rows.find(({ region }) => region === id) ?? {};
    return {
      id,
      name,
      location,
      workers: workers.length,
      machines: listMachines(workers, showsHosts),
      lastSeenAt: lastSeenAt?.toISOString() ?? null,
    };
  });
}

/** Each machine once, by the host of its first worker. Workers of older versions do not name theirs. */
function listMachines(workers: readonly WorkerRow[], showsHosts: boolean): Region['machines'] {
  const hosts = new Map<string, string | null>();
  for (const { host, machine } of workers) {
    if (machine !== null && !hosts.has(machine)) hosts.set(machine, showsHosts ? host : null);
  }
  return [...hosts].map(([id, host]) => ({ id, host }));
}
