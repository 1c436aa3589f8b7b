import type { Silences } from '@/lib/domain/monitors/silence';
import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { toMs } from '@/lib/platform/db/moment-columns';
import type { ChartWindow, Uptimes, UptimeWindow } from '@/lib/schemas/monitor/stats';
import { isKnown, type Period, periodAt } from './periods';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The length of a window in milliseconds. */
export const WINDOW_MS: Record<ChartWindow, number> = {
  '1h': HOUR,
  '6h': 6 * HOUR,
  '24h': DAY,
  '7d': 7 * DAY,
  '30d': 30 * DAY,
  '90d': 90 * DAY,
};

/** Time not down divided by known time in percent, truncated to two decimals, so that 100 means no downtime; null if unknown. */
export function uptimePercentage(knownMs: number, downMs: number): number | null {
  if (knownMs <= 0) return null;
  return Math.floor(((knownMs - downMs) * 10_000) / knownMs) / 100;
}

/** The uptime from `since` to `until`, for periods that can extend beyond it; null if unknown. */
export function uptimeWithin(periods: readonly Period[], since: Date, until: Date): number | null {
  const sums = { known: 0, down: 0 };
  for (const { state, from, to } of periods) {
    const end = Math.min(to?.getTime() ?? Number.POSITIVE_INFINITY, until.getTime());
    const ms = Math.max(0, end - Math.max(from.getTime(), since.getTime()));
    if (isKnown(state)) sums.known += ms;
    if (state === 'down') sums.down += ms;
  }
  return uptimePercentage(sums.known, sums.down);
}

/** The uptime over the trailing 24 hours, 7, 30 and 90 days; null if unknown. */
export function uptimesOf(periods: readonly Period[], now: Date): Uptimes {
  const over = (window: UptimeWindow) =>
    uptimeWithin(periods, new Date(now.getTime() - WINDOW_MS[window]), now);
  return { '24h': over('24h'), '7d': over('7d'), '30d': over('30d'), '90d': over('90d') };
}

/** A stretch of time. */
export type Span = { since: Date; until: Date };

/** Reads uptimes: `silences` are those at `now`, so that recent time without data is unknown before the ledger has it. */
type Reading = { now: Date; silences: Silences };

/** The uptime of monitors over each of `spans`, by monitor ID, in one query; null if unknown. */
export async function readUptimesWithin(
  db: Pick<Database, '$queryRaw'>,
  monitorIds: string[],
  spans: readonly Span[],
  reading: Reading,
): Promise<Map<string, (number | null)[]>> {
  if (monitorIds.length === 0) return new Map();
  const rows = await db.$queryRaw<{ id: string; known: number[]; down: number[] }[]>(
    uptimeQuery(monitorIds, spans, reading),
  );
  return new Map(
    rows.map(({ id, known, down }) => [
      id,
      spans.map((_, place) => uptimePercentage(known[place] ?? 0, down[place] ?? 0)),
    ]),
  );
}

/**
 * Known time and downtime of monitors within each of `spans`, in milliseconds: the difference of what the ledger has summed up by its
 * two ends, however many periods there are between. One index read for the current period, and one for each end before it.
 */
export function uptimeQuery(
  monitorIds: string[],
  spans: readonly Span[],
  { now, silences }: Reading,
): Prisma.Sql {
  const silent = monitorIds.flatMap((id) => {
    const since = silences.get(id)?.noDataSince;
    return since ? [{ id, since }] : [];
  });
  const lasted = Prisma.sql`coalesce(data_ended, ${now}::timestamptz)`;
  return Prisma.sql`
    SELECT wanted.id, array_agg(until.known - since.known ORDER BY place) AS known,
           array_agg(until.down - since.down ORDER BY place) AS down
      FROM unnest(${monitorIds}::text[]) AS wanted (id)
           LEFT JOIN unnest(${silent.map(({ id }) => id)}::text[], ${silent.map(({ since }) => since)}::timestamptz[])
                  AS silent (id, data_ended) ON silent.id = wanted.id
           JOIN status_period AS current ON current.monitor_id = wanted.id AND current.to_at IS NULL
           CROSS JOIN unnest(${spans.map(({ since }) => since)}::timestamptz[],
                             ${spans.map(({ until }) => until)}::timestamptz[])
                 WITH ORDINALITY AS span (since, until, place)
           CROSS JOIN LATERAL ${sumsAt(Prisma.sql`span.since`, lasted)} AS since
           CROSS JOIN LATERAL ${sumsAt(Prisma.sql`span.until`, lasted)} AS until
     GROUP BY 1`;
}

/**
 * Known time and downtime of the monitor of a row `current`, its current period, before the moment `at`, as columns known and down.
 * That period has lasted until `until`.
 */
function sumsAt(at: Prisma.Sql, until: Prisma.Sql): Prisma.Sql {
  const end = Prisma.sql`least(coalesce(to_at, ${until}), ${at})`;
  return Prisma.sql`(
    SELECT (known_before + CASE WHEN status_rank(state) > 0 THEN ms ELSE 0 END)::float8 AS known,
           (down_before + CASE WHEN state = 'down' THEN ms ELSE 0 END)::float8 AS down
      FROM (SELECT *, greatest(0, ${toMs(end)} - ${toMs(Prisma.sql`from_at`)}) AS ms
              FROM (SELECT current.state, current.from_at, current.to_at, current.known_before, current.down_before
                     WHERE current.from_at <= ${at}
                    UNION ALL
                    (${periodAt(Prisma.sql`current.monitor_id`, at)}) LIMIT 1) AS period) AS timed)`;
}
