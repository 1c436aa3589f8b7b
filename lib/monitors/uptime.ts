import type { Database } from '@/lib/db/client';

const WINDOW_DAYS = 30;

/** Seconds not down ÷ seconds known, in percent, cut (not rounded) to two decimals: 100 means 100. No known time is 100. */
export function uptimePercentage(knownMs: number, downMs: number): number {
  if (knownMs <= 0) return 100;
  return Math.floor(((knownMs - downMs) * 10_000) / knownMs) / 100;
}

/**
 * The uptime of monitors over the trailing 30 days, by monitor id: one query, read from the ledger. A monitor without
 * known time is 100. Paused, pending, maintenance and unknown time counts for neither side.
 */
export async function readUptimes(
  db: Pick<Database, '$queryRaw'>,
  monitorIds: string[],
  now: Date,
): Promise<Map<string, number>> {
  if (monitorIds.length === 0) return new Map();
  const since = new Date(now.getTime() - WINDOW_DAYS * 86_400_000);
  const rows = await db.$queryRaw<{ monitorId: string; known: number; down: number }[]>`
    SELECT monitor_id AS "monitorId",
           coalesce(sum(ms) FILTER (WHERE state IN ('operational', 'degraded', 'down')), 0)::float8 AS known,
           coalesce(sum(ms) FILTER (WHERE state = 'down'), 0)::float8 AS down
      FROM (SELECT monitor_id, state,
                   round(extract(epoch FROM least(coalesce(to_at, ${now}), ${now}) - greatest(from_at, ${since})) * 1000) AS ms
              FROM status_period
             WHERE monitor_id = ANY(${monitorIds}) AND (to_at IS NULL OR to_at > ${since}) AND from_at < ${now}) AS stretch
     GROUP BY monitor_id`;
  const measured = new Map(rows.map((row) => [row.monitorId, uptimePercentage(row.known, row.down)]));
  return new Map(monitorIds.map((id) => [id, measured.get(id) ?? 100]));
}
