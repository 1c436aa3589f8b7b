import { LRUCache } from 'lru-cache';
import { toMs } from '@/lib/domain/monitors/last-checks';
import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { PeriodState } from '@/lib/platform/db/generated/enums';
import type { DayBar } from '@/lib/schemas/monitor/stats';
import { BAR_DAYS, type DayTimes, dayBars, startOfBars } from './day-bars';
import { endWithData, isKnown, type Period } from './periods';

const DAY = 86_400_000;

type Row = {
  id: string;
  /** Of the current period; null before there is one. */
  state: PeriodState | null;
  from: number | null;
  /** As in `parseMonths`; null without any. */
  months: string | null;
};

/** UTC days without the current period: what was summed up, and the bars of that. Shared: read only. */
type EndedDays = { summed: readonly DayTimes[]; bars: readonly DayBar[] };

/** What the ledger says of some UTC days, up to `until`: the current period, and what ended before it. */
export type Days = EndedDays & { current: Period | null; until: Date };

/** The days that were read last: they change when a period ends, and pages are read every few seconds. A few KB each. */
const MAX_REMEMBERED = 2000;
const remembered = new LRUCache<string, EndedDays & { start: number; days: number; months: string | null }>({
  max: MAX_REMEMBERED,
});

/**
 * The days of monitors by monitor ID, ending with that of `until`, in one query. Reads what has ended from its rollup, a row per month.
 */
export async function readDays(
  db: Pick<Database, '$queryRaw'>,
  monitorIds: string[],
  { until, days = BAR_DAYS }: { until: Date; days?: number },
): Promise<Map<string, Days>> {
  if (monitorIds.length === 0) return new Map();
  const start = startOfBars(until, days);
  const rows = await db.$queryRaw<Row[]>(daysQuery(monitorIds, start, until));
  return new Map(
    rows.map((row) => {
      const current =
        row.state && row.from !== null ? { state: row.state, from: new Date(row.from), to: null } : null;
      return [row.id, { ...endedDays(row, { start, days, until }), current, until }];
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

type Span = { start: Date; days: number; until: Date };

function endedDays({ id, months }: Pick<Row, 'id' | 'months'>, { start, days, until }: Span): EndedDays {
  const known = remembered.get(id);
  if (known && known.months === months && known.start === start.getTime() && known.days === days)
    return known;
  const summed = listDays(parseMonths(months), start, days);
  const ended = { summed, bars: dayBars([], until, days, summed) };
  remembered.set(id, { ...ended, start: start.getTime(), days, months });
  return ended;
}

/** One row per monitor: one text costs the client much less than lists of values. */
export function daysQuery(monitorIds: string[], start: Date, until: Date): Prisma.Sql {
  return Prisma.sql`
    SELECT wanted.id, current.state::text AS state, ${toMs(Prisma.sql`current.from_at`)} AS "from", months
      FROM unnest(${monitorIds}::text[]) AS wanted (id)
           LEFT JOIN status_period AS current ON current.monitor_id = wanted.id AND current.to_at IS NULL
           CROSS JOIN LATERAL (
             SELECT string_agg(concat_ws(' ', to_char(month, 'YYYY-MM'), array_to_string(known, ','),
                                         array_to_string(down, ','), array_to_string(worst, ',')), '|') AS months
               FROM uptime_month
              WHERE monitor_id = wanted.id AND month >= date_trunc('month', ${start}::timestamptz) AND month <= ${until}::timestamptz
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
