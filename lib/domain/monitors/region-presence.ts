import type { Services } from '@/lib/domain/context/services';
import type { Database } from '@/lib/platform/db/client';
import type { WorkerDuties } from '@/lib/platform/db/generated/client';

/**
 * For each region ever served, the last moment at which a living worker served it: at most a heartbeat (3 s) ago while one
 * does. It is kept when the worker is gone, stopped in order or not.
 */
export async function readRegionPresence({
  db,
}: {
  db: Pick<Database, 'regionPresence'>;
}): Promise<Map<string, Date>> {
  const rows = await db.regionPresence.findMany();
  return new Map(rows.map(({ region, servedAt }) => [region, servedAt]));
}

/** Records that a living worker serves `regions` now, and takes on these duties. */
export async function recordPresence(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { regions, duties }: { regions: readonly string[]; duties: WorkerDuties },
): Promise<void> {
  const now = clock.now();
  // Sorted, so that two workers lock the rows in the same order. The latest moment stays, whichever worker writes last.
  await db.$executeRaw`
    WITH served AS (
      INSERT INTO region_presence (region, served_at)
      SELECT region, ${now}::timestamptz FROM unnest(${[...new Set(regions)].toSorted()}::text[]) AS region
          ON CONFLICT (region) DO UPDATE SET served_at = greatest(region_presence.served_at, excluded.served_at)
    )
    INSERT INTO duties_presence (duties, served_at) VALUES (${duties}::worker_duties, ${now}::timestamptz)
        ON CONFLICT (duties) DO UPDATE SET served_at = greatest(duties_presence.served_at, excluded.served_at)`;
}
