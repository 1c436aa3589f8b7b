import type { Services } from '@/lib/domain/context/services';
import { IS_PROBED, jsonNumber, lastCheckIn, numberIn, resultMs } from '@/lib/domain/monitors/last-checks';
import type { Database } from '@/lib/platform/db/client';
import { Prisma, type WorkerDuties } from '@/lib/platform/db/generated/client';
import { toMs } from '@/lib/platform/db/moment-columns';
import { isRegionId, type RegionId } from '@/lib/schemas/regions';
import { isUnserved, readSilence } from '@/lib/state/silence';

/** Since when a monitor has no data, and its regions without data, as decided by lib/state/silence.ts; and its last check. */
export type MonitorSilence = {
  noDataSince: Date | null;
  silentRegions: RegionId[];
  /** Epoch milliseconds, because lists have thousands of these. */
  lastCheckedAt: number | null;
  lastResponseTime: number | null;
};

/** By monitor ID. */
export type Silences = ReadonlyMap<string, MonitorSilence>;

type Row = {
  id: string;
  /** Whether silence of its regions would mean anything. */
  isWatched: boolean;
  /** Of a monitor without regions: since when nothing is known of it, in epoch milliseconds. */
  unknownSince: number | null;
  interval: number;
  timeout: number;
  regions: string[];
  configuredAt: Date;
  since: number | null;
  lastResultAt: number | null;
  lastCheckedAt: Date | null;
  lastResponseTime: number | null;
  /** In the order of `regions`, like the next two. Epoch milliseconds. */
  resultAt: (number | null)[];
  startedAt: (number | null)[];
  /** When each region was last served. */
  servedAt: (number | null)[];
};

/**
 * The silence of monitors at `now`, by ID, in one query. Derived from their states and from when each region was last served,
 * so it is correct even if no worker is left.
 */
export async function readSilences(
  db: Pick<Database, '$queryRaw'>,
  monitorIds: readonly string[],
  now: Date,
): Promise<Silences> {
  if (monitorIds.length === 0) return new Map();
  const rows = await db.$queryRaw<Row[]>`
    SELECT id, enabled AND ${IS_PROBED} AS "isWatched",
           CASE WHEN enabled AND NOT ${IS_PROBED} AND status_before_maintenance IS NULL
                THEN ${jsonNumber(Prisma.sql`machine->'unknownSince'`)} END AS "unknownSince",
           interval, timeout, regions, updated_at AS "configuredAt",
           ${jsonNumber(Prisma.sql`machine->'since'`)} AS since,
           greatest(${jsonNumber(Prisma.sql`machine->'lastResultAt'`)}, "latestResultAt") AS "lastResultAt",
           greatest(state.last_checked_at, checked_at) AS "lastCheckedAt",
           CASE WHEN checked_at >= coalesce(state.last_checked_at, '-infinity') THEN response_time
                ELSE state.last_response_time END AS "lastResponseTime",
           "resultAt", "startedAt", "servedAt"
      FROM monitor
      JOIN monitor_state AS state ON state.monitor_id = id
     CROSS JOIN LATERAL (
             SELECT array_agg(${resultAtIn(Prisma.sql`configured.region`)} ORDER BY place) AS "resultAt",
                    array_agg(greatest(${numberIn(Prisma.sql`configured.region`, 'startedAt')},
                                       ${toMs(Prisma.sql`last.checked_at`)}) ORDER BY place) AS "startedAt",
                    array_agg(${toMs(Prisma.sql`served_at`)} ORDER BY place) AS "servedAt",
                    max(${resultMs(Prisma.sql`last`)}) AS "latestResultAt",
                    max(last.checked_at) AS checked_at,
                    (array_agg(last.response_time ORDER BY last.checked_at DESC NULLS LAST))[1] AS response_time
               FROM unnest(regions) WITH ORDINALITY AS configured (region, place)
               LEFT JOIN region_presence USING (region)
               LEFT JOIN LATERAL ${lastCheckIn(Prisma.sql`configured.region`, now)} AS last ON true) AS seen
     WHERE id = ANY(${[...monitorIds]})`;
  return new Map(rows.map((row) => [row.id, silenceOf(row, now.getTime())]));
}

/**
 * The time of the latest result of `region`, in epoch milliseconds; null while the region has no vote. `last` is its row of
 * `lastCheckIn`, the state is in a column `machine`.
 */
export function resultAtIn(region: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`CASE WHEN last.checked_at IS NOT NULL
    THEN ${resultMs(Prisma.sql`last`)} ELSE ${numberIn(region, 'resultAt')} END`;
}

function silenceOf(row: Row, now: number): MonitorSilence {
  const { isWatched: enabled, regions, since, lastResultAt, configuredAt } = row;
  const reported = regions.map((region, place) => {
    const [resultAt = null, startedAt = null] = [row.resultAt[place], row.startedAt[place]];
    return [region, { resultAt, startedAt }] as const;
  });
  const unserved = new Set(regions.filter((_, place) => isUnserved(row.servedAt[place] ?? null, now)));
  const { noDataSince, silentRegions } = readSilence(
    {
      enabled,
      config: { intervalMs: row.interval * 1000, timeoutMs: row.timeout * 1000, regions },
      state: { since: since ?? configuredAt.getTime(), lastResultAt, regions: Object.fromEntries(reported) },
      configuredAt: configuredAt.getTime(),
    },
    unserved,
    now,
  );
  return {
    noDataSince: toDate(noDataSince ?? row.unknownSince),
    silentRegions: silentRegions.filter(isRegionId),
    lastCheckedAt: row.lastCheckedAt?.getTime() ?? null,
    lastResponseTime: row.lastResponseTime,
  };
}

function toDate(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}

/**
 * For each region ever served, when a worker last served it: at most a heartbeat (3s) ago while one does. Kept after the
 * worker has stopped or crashed.
 */
export async function readRegionPresence({ db }: Pick<Services, 'db'>): Promise<Map<string, Date>> {
  const rows = await db.regionPresence.findMany();
  return new Map(rows.map(({ region, servedAt }) => [region, servedAt]));
}

/** Records that a worker serves `regions` and performs these duties now. */
export async function recordPresence(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { regions, duties }: { regions: readonly string[]; duties: WorkerDuties },
): Promise<void> {
  const now = clock.now();
  // Sorted, because all workers must lock the rows in the same order. The latest time is kept, regardless of the order of writes.
  await db.$executeRaw`
    WITH served AS (
      INSERT INTO region_presence (region, served_at)
      SELECT region, ${now}::timestamptz FROM unnest(${[...new Set(regions)].toSorted()}::text[]) AS region
          ON CONFLICT (region) DO UPDATE SET served_at = greatest(region_presence.served_at, excluded.served_at)
    )
    INSERT INTO duties_presence (duties, served_at) VALUES (${duties}::worker_duties, ${now}::timestamptz)
        ON CONFLICT (duties) DO UPDATE SET served_at = greatest(duties_presence.served_at, excluded.served_at)`;
}
