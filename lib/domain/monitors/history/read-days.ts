import { LRUCache } from 'lru-cache';
import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { PeriodState } from '@/lib/platform/db/generated/enums';
import { toMs } from '@/lib/platform/db/moment-columns';
import type { DayBar } from '@/lib/schemas/monitor/stats';
import { BAR_DAYS, type DayTimes, dayBars, startOfBars } from './day-bars';
import { endWithData, isKnown, type Period } from './periods';
import { uptimePercentage } from './uptime';

const DAY = 86_400_000;

type Row = {
  id: string;
  /** Of the current period; null before there is one. */
  state: PeriodState | null;
  from: number | null;
  /** Of the rows of its months. */
  version: string;
  /** As in `parseMonths`; null without any, or if the version is known. */
  months: string | null;
};

/** UTC days without the current period: what was summed up, and the bars of that. Shared: read only. */
type EndedDays = { summed: readonly DayTimes[]; bars: readonly DayBar[] };

/** What the ledger says of some UTC days, up to `until`: the current period, and what ended before it. */
export type Days = EndedDays & { current: Period | null; until: Date };

/** Ended days as of a version of their rows. */
type Versioned = EndedDays & { version: string; start: number };

/** The days that were read last: they change when a period ends, and pages are read every few seconds. A few KB each. */
const MAX_REMEMBERED = 2000;
const remembered = new LRUCache<string, Versioned>({ max: MAX_REMEMBERED });

/**
 * The days of monitors by monitor ID, ending with that of `until`, in one query. Reads what has ended from its rollup, a row per month,
 * if it is not known already.
 */
export async function readDays(
  db: Pick<Database, '$queryRaw'>,
  monitorIds: string[],
  { until, days = BAR_DAYS }: { until: Date; days?: number },
): Promise<Map<string, Days>> {
  if (monitorIds.length === 0) return new Map();
  const start = startOfBars(until, days);
  // Read once: it may be forgotten during the query.
  const known = new Map(
    monitorIds.flatMap((id): [string, Versioned][] => {
      const last = remembered.get(id);
      return last?.start === start.getTime() && last.bars.length === days ? [[id, last]] : [];
    }),
  );
  const wanted = monitorIds.map((id) => ({ id, version: known.get(id)?.version ?? null }));
  const rows = await db.$queryRaw<Row[]>(daysQuery(wanted, start, until));
  return new Map(
    rows.map(({ id, state, from, version, months }) => {
      let ended = known.get(id);
      if (ended?.version !== version) {
        ended = { ...parseDays(months, { start, days, until }), version, start: start.getTime() };
        remembered.set(id, ended);
      }
      const current = state && from !== null ? { state, from: new Date(from), to: null } : null;
      return [id, { summed: ended.summed, bars: ended.bars, current, until }];
    }),
  );
}

/** One bar per day, oldest first. The current period ends where data ended, even if the ledger does not have it yet. */
export function barsOf({ current, summed, bars, until }: Days, noDataSince: Date | null): DayBar[] {
  const [last] = current ? endWithData(current, noDataSince) : [];
  if (last === undefined || !isKnown(last.state)) return [...bars];
  const start = startOfBars(until, bars.length);
  const before = Math.max(
    0,
    Math.min(bars.length - 1, Math.floor((last.from.getTime() - start.getTime()) / DAY)),
  );
  return [...bars.slice(0, before), ...dayBars([last], until, bars.length - before, summed.slice(before))];
}

/** The uptime over the last `count` of these days in percent, null if unknown: that of their bars, from what those are made of. */
export function uptimeOfDays(
  { current, summed, until }: Days,
  noDataSince: Date | null,
  count: number,
): number | null {
  const sums = { known: 0, down: 0 };
  for (const { known, down } of summed.slice(-count)) {
    sums.known += known;
    sums.down += down;
  }
  const [last] = current ? endWithData(current, noDataSince) : [];
  if (last !== undefined && isKnown(last.state)) {
    const since = Math.max(last.from.getTime(), startOfBars(until, count).getTime());
    const ms = Math.max(0, Math.min((last.to ?? until).getTime(), until.getTime()) - since);
    sums.known += ms;
    if (last.state === 'down') sums.down += ms;
  }
  return uptimePercentage(sums.known, sums.down);
}

type Span = { start: Date; days: number; until: Date };

function parseDays(months: string | null, { start, days, until }: Span): EndedDays {
  const summed = listDays(parseMonths(months), start, days);
  return { summed, bars: dayBars([], until, days, summed) };
}

/**
 * One row per monitor, with one text, which costs the client much less than lists of values. What would be most of the cost, the text of
 * months whose version is known, is left out.
 */
export function daysQuery(
  monitors: readonly { id: string; version: string | null }[],
  start: Date,
  until: Date,
): Prisma.Sql {
  const ids = monitors.map(({ id }) => id);
  const own = Prisma.sql`
    monitor_id = wanted.id AND month >= date_trunc('month', ${start}::timestamptz) AND month <= ${until}::timestamptz`;
  return Prisma.sql`
    SELECT wanted.id, current.state::text AS state, ${toMs(Prisma.sql`current.from_at`)} AS "from",
           stored.version, months
      FROM unnest(${ids}::text[], ${monitors.map(({ version }) => version)}::text[]) AS wanted (id, version)
           LEFT JOIN status_period AS current ON current.monitor_id = wanted.id AND current.to_at IS NULL
           CROSS JOIN LATERAL (
             SELECT coalesce(string_agg(concat(xmin, ctid), ' ' ORDER BY month), '') AS version
               FROM uptime_month
              WHERE ${own}
           ) AS stored
           CROSS JOIN LATERAL (
             SELECT string_agg(concat_ws(' ', to_char(month, 'YYYY-MM'), array_to_string(known, ','),
                                         array_to_string(down, ','), array_to_string(worst, ',')), '|') AS months
               FROM uptime_month
              WHERE ${own} AND stored.version IS DISTINCT FROM wanted.version
           ) AS ended`;
}

/** The times of 31 days by month (`2026-11`). */
type Months = ReadonlyMap<string, readonly (readonly string[])[]>;

/** `2026-11 86400000,… 0,… 1,…|2026-12 …`: known time, downtime and worst status of the days of each month. */
function parseMonths(text: string | null): Months {
  return new Map(
    (text ?? '').split('|').map((month) => {
      const [name = '', ...lists] = month.split(' ');
      return [name, lists.map((list) => list.split(','))];
    }),
  );
}

function listDays(months: Months, start: Date, days: number): DayTimes[] {
  const listed: DayTimes[] = [];
  for (const [month, first, last] of monthsOf(start, days)) {
    const [ofKnown = [], ofDown = [], ofWorst = []] = months.get(month) ?? [];
    for (let day = first; day <= last; day += 1) {
      const value = (of: readonly string[]) => Number(of[day - 1] ?? 0);
      listed.push({ known: value(ofKnown), down: value(ofDown), worst: value(ofWorst) });
    }
  }
  return listed;
}

/** The months of these days, each with its first and last of them, from 1. */
function monthsOf(start: Date, days: number): [month: string, first: number, last: number][] {
  const end = start.getTime() + (days - 1) * DAY;
  const months: [string, number, number][] = [];
  for (let at = start; at.getTime() <= end; ) {
    const next = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1);
    const last = new Date(Math.min(next - DAY, end));
    months.push([at.toISOString().slice(0, 7), at.getUTCDate(), last.getUTCDate()]);
    at = new Date(next);
  }
  return months;
}
