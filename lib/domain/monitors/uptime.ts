import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { UPTIME_WINDOWS, type Uptimes, type UptimeWindow } from '@/lib/schemas/stats';
import { type Period, periodsWithin } from './read-periods';
import type { Silences } from './read-silences';

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
