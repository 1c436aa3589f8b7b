import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { PeriodState } from '@/lib/platform/db/generated/enums';
import { UPTIME_WINDOWS, type Uptimes, type UptimeWindow } from '@/lib/schemas/stats';
import type { Silences } from './silence';

const DAY = 86_400_000;

/** How long a window reaches back, in milliseconds. */
export const WINDOW_MS: Record<UptimeWindow, number> = {
  '24h': DAY,
  '7d': 7 * DAY,
  '30d': 30 * DAY,
  '90d': 90 * DAY,
};

/** Seconds not down ÷ seconds known, in percent, cut (not rounded) to two decimals: 100 means 100. No known time is 100. */
export function uptimePercentage(knownMs: number, downMs: number): number {
  if (knownMs <= 0) return 100;
  return Math.floor(((knownMs - downMs) * 10_000) / knownMs) / 100;
}

/** The same, but null where nothing is known: for stretches of time, which are not looked at as a promise. */
export function knownUptime(knownMs: number, downMs: number): number | null {
  return knownMs <= 0 ? null : uptimePercentage(knownMs, downMs);
}

/** The uptime over the time from `since` to `until`, of periods that may reach beyond it; null where nothing is known. */
export function uptimeWithin(periods: readonly Period[], since: Date, until: Date): number | null {
  const sums = { known: 0, down: 0 };
  for (const { state, from, to } of periods) {
    const end = Math.min(to?.getTime() ?? Number.POSITIVE_INFINITY, until.getTime());
    const ms = Math.max(0, end - Math.max(from.getTime(), since.getTime()));
    if (state === 'operational' || state === 'degraded' || state === 'down') sums.known += ms;
    if (state === 'down') sums.down += ms;
  }
  return knownUptime(sums.known, sums.down);
}

/**
 * The uptime of monitors over the trailing 30 days, by monitor id: one query, read from the ledger. A monitor without
 * known time is 100. Paused, pending, maintenance and unknown time counts for neither side, nor does time without data
 * that the ledger does not know of yet.
 */
export async function readUptimes(
  db: Pick<Database, '$queryRaw'>,
  monitorIds: string[],
  now: Date,
  silences: Silences,
): Promise<Map<string, number>> {
  const measured = await measure(db, monitorIds, ['30d'], now, silences);
  return new Map(monitorIds.map((id) => [id, measured.get(id)?.get('30d') ?? 100]));
}

/**
 * The uptime of monitors over the trailing 24 hours, 7, 30 and 90 days, by monitor id: one query, read from the ledger.
 * Null for a window in which nothing is known.
 */
export async function readUptimeWindows(
  db: Pick<Database, '$queryRaw'>,
  monitorIds: string[],
  now: Date,
  silences: Silences,
): Promise<Map<string, Uptimes>> {
  const measured = await measure(db, monitorIds, UPTIME_WINDOWS, now, silences);
  return new Map(
    monitorIds.map((id) => {
      const of = (window: UptimeWindow) => measured.get(id)?.get(window) ?? null;
      return [id, { '24h': of('24h'), '7d': of('7d'), '30d': of('30d'), '90d': of('90d') }];
    }),
  );
}

/** By monitor and window; without an entry where nothing is known. */
async function measure(
  db: Pick<Database, '$queryRaw'>,
  monitorIds: string[],
  windows: readonly UptimeWindow[],
  now: Date,
  silences: Silences,
): Promise<Map<string, Map<UptimeWindow, number>>> {
  const measured = new Map<string, Map<UptimeWindow, number>>();
  if (monitorIds.length === 0) return measured;
  const rows = await db.$queryRaw<{ monitorId: string; window: UptimeWindow; known: number; down: number }[]>(
    uptimeQuery(monitorIds, windows, now, silences),
  );
  for (const { monitorId, window, known, down } of rows) {
    const own = measured.get(monitorId) ?? new Map<UptimeWindow, number>();
    measured.set(monitorId, own.set(window, uptimePercentage(known, down)));
  }
  return measured;
}

/** Known time and time down of monitors in each window, in milliseconds: every period is read once for all windows. */
export function uptimeQuery(
  monitorIds: string[],
  windows: readonly UptimeWindow[],
  now: Date,
  silences: Silences,
): Prisma.Sql {
  const silent = monitorIds.flatMap((id) => {
    const since = silences.get(id)?.noDataSince;
    return since ? [{ id, since }] : [];
  });
  const starts = windows.map((window) => new Date(now.getTime() - WINDOW_MS[window]));
  const earliest = new Date(Math.min(...starts.map((start) => start.getTime())));
  return Prisma.sql`
    SELECT "monitorId", "window",
           sum(ms)::float8 AS known, coalesce(sum(ms) FILTER (WHERE state = 'down'), 0)::float8 AS down
      FROM (SELECT "monitorId", state, frame."window",
                   round(extract(epoch FROM least(coalesce("to", silent.since, ${now}), ${now})
                                                   - greatest("from", frame.since)) * 1000) AS ms
              FROM (${periodsWithin(monitorIds, earliest, now)}) AS period
              LEFT JOIN unnest(${silent.map(({ id }) => id)}::text[],
                               ${silent.map(({ since }) => since)}::timestamptz[]) AS silent (id, since)
                     ON silent.id = period."monitorId"
             CROSS JOIN unnest(${windows}::text[], ${starts}::timestamptz[]) AS frame ("window", since)
             WHERE state IN ('operational', 'degraded', 'down')) AS stretch
     WHERE ms > 0
     GROUP BY 1, 2`;
}

/** A stretch of the ledger; `to` is null for the current one. */
export type Period = { state: PeriodState; from: Date; to: Date | null };

/**
 * The periods of monitors that overlap the time from `since` to `now`, as columns "monitorId", state, "from", "to": two
 * index reads a monitor, whatever the ledger keeps besides. Periods follow each other without a hole, so the last that
 * began by `since` is the first that overlaps; its start, found in the index, bounds the range that is read.
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
 * The periods of monitors that overlap the time from `since` to `now`, by monitor id, in no order: one query however many.
 * A monitor's periods come as one text: as rows, thousands of them would cost the client more than all the rest of a page.
 * Where the ledger does not know yet that a monitor is silent, its last period ends with its data all the same.
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

/** What counts as known time of the current period ends where data ended, and unknown time goes on from there. */
function endWithData(period: Period, noDataSince: Date | null): Period[] {
  const isKnown = period.state === 'operational' || period.state === 'degraded' || period.state === 'down';
  if (noDataSince === null || period.to !== null || !isKnown) return [period];
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
