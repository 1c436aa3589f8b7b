import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { isRegionId, type RegionId } from '@/lib/schemas/regions';
import { isUnserved, readSilence } from '@/lib/state/silence';

/** Whether a monitor is without data, as lib/state/silence.ts decides it. */
export type MonitorSilence = { noDataSince: Date | null; silentRegions: RegionId[] };

/** By monitor id. */
export type Silences = ReadonlyMap<string, MonitorSilence>;

type Row = {
  id: string;
  enabled: boolean;
  interval: number;
  timeout: number;
  regions: string[];
  configuredAt: Date;
  since: number | null;
  lastResultAt: number | null;
  /** In the order of `regions`, like the next two. Epoch milliseconds. */
  resultAt: (number | null)[];
  startedAt: (number | null)[];
  /** When each region was last served. */
  servedAt: (number | null)[];
};

/**
 * The silence of monitors at `now`, by id, in one query however many: from their states and from when each region was last
 * served, so that it is right also while no worker is left to notice.
 */
export async function readSilences(
  db: Pick<Database, '$queryRaw'>,
  monitorIds: readonly string[],
  now: Date,
): Promise<Silences> {
  if (monitorIds.length === 0) return new Map();
  const rows = await db.$queryRaw<Row[]>`
    SELECT id, enabled, interval, timeout, regions, updated_at AS "configuredAt",
           ${jsonNumber(Prisma.sql`machine->'since'`)} AS since,
           ${jsonNumber(Prisma.sql`machine->'lastResultAt'`)} AS "lastResultAt", seen.*
      FROM monitor JOIN monitor_state ON monitor_id = id CROSS JOIN LATERAL (
             SELECT array_agg(${resultAtIn(Prisma.sql`machine`)} ORDER BY place) AS "resultAt",
                    array_agg(${jsonNumber(Prisma.sql`machine->'regions'->region->'startedAt'`)} ORDER BY place) AS "startedAt",
                    array_agg(extract(epoch FROM served_at)::float8 * 1000 ORDER BY place) AS "servedAt"
               FROM unnest(regions) WITH ORDINALITY AS configured (region, place)
               LEFT JOIN region_presence USING (region)) AS seen
     WHERE id = ANY(${[...monitorIds]})`;
  return new Map(rows.map((row) => [row.id, silenceOf(row, now.getTime())]));
}

/** When the latest result of `region` came, as a state stores it, epoch milliseconds; null while the region has no vote. */
export function resultAtIn(machine: Prisma.Sql, region = Prisma.sql`region`): Prisma.Sql {
  return jsonNumber(Prisma.sql`${machine}->'regions'->${region}->'resultAt'`);
}

/** Null where a stored state holds something else: one damaged row must not fail a whole list. */
function jsonNumber(value: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`CASE jsonb_typeof(${value}) WHEN 'number' THEN (${value})::float8 END`;
}

function silenceOf(row: Row, now: number): MonitorSilence {
  const { enabled, regions, since, lastResultAt, configuredAt } = row;
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
    noDataSince: noDataSince === null ? null : new Date(noDataSince),
    silentRegions: silentRegions.filter(isRegionId),
  };
}
