import type { Silences } from '@/lib/domain/monitors/silence';
import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { PeriodState } from '@/lib/platform/db/generated/enums';
import type { Uptimes, UptimeWindow } from '@/lib/schemas/monitor/stats';

const DAY = 86_400_000;

/** The length of a window in milliseconds. */
export const WINDOW_MS: Record<UptimeWindow, number> = {
  '24h': DAY,
  '7d': 7 * DAY,
  '30d': 30 * DAY,
  '90d': 90 * DAY,
};

/** Time not down divided by known time in percent, truncated to two decimals, so that 100 means no downtime. 100 if unknown. */
export function uptimePercentage(knownMs: number, downMs: number): number {
  if (knownMs <= 0) return 100;
  return Math.floor(((knownMs - downMs) * 10_000) / knownMs) / 100;
}

/** The same, but null if unknown. */
export function knownUptime(knownMs: number, downMs: number): number | null {
  return knownMs <= 0 ? null : uptimePercentage(knownMs, downMs);
}

/** Whether a period of this state counts toward uptime. */
export function isKnown(state: PeriodState): state is 'operational' | 'degraded' | 'down' {
  return state === 'operational' || state === 'degraded' || state === 'down';
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
  return knownUptime(sums.known, sums.down);
}

/** The uptime over the trailing 24 hours, 7, 30 and 90 days; null if unknown. */
export function uptimesOf(periods: readonly Period[], now: Date): Uptimes {
  const over = (window: UptimeWindow) =>
    uptimeWithin(periods, new Date(now.getTime() - WINDOW_MS[window]), now);
  return { '24h': over('24h'), '7d': over('7d'), '30d': over('30d'), '90d': over('90d') };
}

/**
 * The uptime of monitors over the trailing 30 days, by monitor ID, in one query of the ledger; 100 if unknown. Paused, pending,
 * maintenance and unknown time is not counted, nor is recent time without data that is not in the ledger yet.
 */
export async function readUptimes(
  db: Pick<Database, '$queryRaw'>,
  monitorIds: string[],
  now: Date,
  silences: Silences,
): Promise<Map<string, number>> {
  const uptimes = new Map(monitorIds.map((id) => [id, 100]));
  if (monitorIds.length === 0) return uptimes;
  const rows = await db.$queryRaw<{ monitorId: string; known: number; down: number }[]>(
    uptimeQuery(monitorIds, now, silences),
  );
  for (const { monitorId, known, down } of rows) uptimes.set(monitorId, uptimePercentage(known, down));
  return uptimes;
}

/** Known time and downtime of monitors over the trailing 30 days, in milliseconds. */
export function uptimeQuery(monitorIds: string[], now: Date, silences: Silences): Prisma.Sql {
  const silent = monitorIds.flatMap((id) => {
    const since = silences.get(id)?.noDataSince;
    return since ? [{ id, since }] : [];
  });
  const start = new Date(now.getTime() - WINDOW_MS['30d']);
  return Prisma.sql`
    SELECT "monitorId", sum(ms)::float8 AS known,
           coalesce(sum(ms) FILTER (WHERE state = 'down'), 0)::float8 AS down
      FROM (SELECT "monitorId", state,
                   round(extract(epoch FROM least(coalesce("to", silent.since, ${now}), ${now})
                                                   - greatest("from", ${start})) * 1000) AS ms
              FROM (${periodsWithin(monitorIds, start, now)}) AS period
              LEFT JOIN unnest(${silent.map(({ id }) => id)}::text[],
                               ${silent.map(({ since }) => since)}::timestamptz[]) AS silent (id, since)
                     ON silent.id = period."monitorId"
             WHERE state IN ('operational', 'degraded', 'down')) AS stretch
     WHERE ms > 0
     GROUP BY 1`;
}

/** A period of the ledger; `to` is null for the current one. */
export type Period = { state: PeriodState; from: Date; to: Date | null };

/**
 * The periods of monitors that overlap the time from `since` to `now`, as columns "monitorId", state, "from", "to", with two
 * index reads per monitor. Periods have no gaps, so the last one that started by `since` is the first that overlaps.
 */
export function periodsWithin(monitorIds: string[], since: Date, now: Date): Prisma.Sql {
  return Prisma.sql`
    SELECT wanted.id AS "monitorId", period.state, period.from_at AS "from", period.to_at AS "to"
      FROM unnest(${monitorIds}::text[]) AS wanted (id) CROSS JOIN LATERAL (
             SELECT state, from_at, to_at FROM status_period
              WHERE monitor_id = wanted.id AND from_at < ${now}
                AND from_at >= coalesce((SELECT max(earlier.from_at) FROM status_period AS earlier
                                          WHERE earlier.monitor_id = wanted.id AND earlier.from_at <= ${since}),
                                        '-infinity')
              -- Keeps the planner from joining the whole ledger instead.
              OFFSET 0) AS period`;
}

/**
 * The periods of monitors that overlap the time from `since` to `now`, by monitor ID, in no order, in one query. Each monitor's
 * periods are aggregated to one text, because thousands of rows would dominate the cost of a page. The current period ends where
 * data ended, even if the ledger does not have it yet.
 */
export async function readPeriods(
  db: Pick<Database, '$queryRaw'>,
  monitorIds: string[],
  { since, now, silences }: { since: Date; now: Date; silences: Silences },
): Promise<Map<string, Period[]>> {
  const byMonitor = new Map<string, Period[]>(monitorIds.map((id) => [id, []]));
  if (monitorIds.length === 0) return byMonitor;
  const rows = await db.$queryRaw<{ monitorId: string; periods: string }[]>`
    SELECT "monitorId",
           string_agg(concat_ws(' ', state, (extract(epoch FROM "from") * 1000)::bigint,
                                (extract(epoch FROM "to") * 1000)::bigint), ',') AS periods
      FROM (${periodsWithin(monitorIds, since, now)}) AS period
     GROUP BY 1`;
  for (const { monitorId, periods } of rows) {
    const noDataSince = silences.get(monitorId)?.noDataSince ?? null;
    byMonitor.set(
      monitorId,
      periods.split(',').flatMap((text) => endWithData(parsePeriod(text), noDataSince)),
    );
  }
  return byMonitor;
}

/** Ends the current period where data ended and continues with unknown time. */
function endWithData(period: Period, noDataSince: Date | null): Period[] {
  if (noDataSince === null || period.to !== null || !isKnown(period.state)) return [period];
  const to = noDataSince > period.from ? noDataSince : period.from;
  return [
    { ...period, to },
    { state: 'unknown', from: to, to: null },
  ];
}

/** `operational 1773144000000 1773147600000`; the current one has no end. */
function parsePeriod(text: string): Period {
  const [state, from, to] = text.split(' ');
  return {
    state: state as PeriodState,
    from: new Date(Number(from)),
    to: to === undefined ? null : new Date(Number(to)),
  };
}
