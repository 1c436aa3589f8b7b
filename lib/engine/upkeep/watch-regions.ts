import type { Logger } from '@/lib/core/logger';
import type { Services } from '@/lib/domain/context/services';
import { readRegionPresence } from '@/lib/domain/monitors/region-presence';
import { tickUnservedMonitors } from '@/lib/engine/checks/tick-monitors';
import { isUnserved } from '@/lib/state/silence';
import { closeRegionOutages, openRegionOutages } from './region-outages';

/** When each region was last served, as far as it ever was. */
export type RegionPresence = ReadonlyMap<string, Date>;

const EVERY_MS = 5000;
/** So many batches of monitors in one look; the rest follows at the next. */
const MAX_BATCHES = 200;

/**
 * Looks every five seconds for regions without a worker, as long as this process lives: for a worker with upkeep duties.
 * `presence` is from before the process began to serve its own regions, so that a silence that just ended is not missed.
 */
export function watchRegions(
  services: Services,
  { presence, log }: { presence: RegionPresence; log: Logger },
): { stop(): Promise<void> } {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const look = async (seen?: RegionPresence) => {
    try {
      await followRegions(services, seen);
    } catch (error) {
      log.error({ err: error }, 'regions without a worker could not be looked for; retrying in 5 s');
    }
    if (!isStopped) timer = setTimeout(next, EVERY_MS);
  };
  const next = () => {
    running = look();
  };
  running = look(presence);
  return {
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** One look: what follows from regions that have no worker, and from those that have one again. */
export async function followRegions(services: Services, seen?: RegionPresence): Promise<void> {
  const presence = seen ?? (await readRegionPresence(services));
  const now = services.clock.now().getTime();
  const regions = await listRegionsInUse(services);
  const unserved = regions.filter((region) => isUnserved(presence.get(region)?.getTime() ?? null, now));
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    if ((await tickUnservedMonitors(services, unserved)) === 0) break;
  }
  await openRegionOutages(
    services,
    unserved.map((region) => ({ region, servedAt: presence.get(region) ?? null })),
  );
  await closeRegionOutages(services, unserved);
}

/** The regions that something is scheduled in: one index read each. */
async function listRegionsInUse({ db }: Pick<Services, 'db'>): Promise<string[]> {
  const rows = await db.$queryRaw<{ region: string }[]>`
    WITH RECURSIVE used (region) AS (
      (SELECT region FROM probe_schedule ORDER BY region LIMIT 1)
      UNION ALL
      SELECT (SELECT region FROM probe_schedule WHERE region > used.region ORDER BY region LIMIT 1)
        FROM used WHERE used.region IS NOT NULL
    )
    SELECT region FROM used WHERE region IS NOT NULL`;
  return rows.map(({ region }) => region);
}
