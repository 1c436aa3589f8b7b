import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { PeriodState } from '@/lib/platform/db/generated/enums';
import type { DayBar } from '@/lib/schemas/monitor/stats';
import { BAR_DAYS, type DayTimes, dayBars, startOfBars } from './day-bars';
import { endWithData, type Period } from './periods';

const DAY = 86_400_000;

type Row = {
  id: string;
  /** Of the current period; null before there is one. */
  state: PeriodState | null;
  from: Date | null;
  /** `2026-11` with 31 values for each of `known`, `down` and `worst`. */
  months: string[];
  known: string[];
  down: string[];
  worst: string[];
};

/** What the ledger says of some UTC days, up to `until`: the current period, and what was summed up of those before it. */
export type Days = { current: Period | null; summed: DayTimes[]; until: Date };

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
      const current = row.state && row.from ? { state: row.state, from: row.from, to: null } : null;
      return [row.id, { current, summed: listDays(row, start, days), until }];
    }),
  );
}

/** One bar per day, oldest first. The current period ends where data ended, even if the ledger does not have it yet. */
export function barsOf({ current, summed, until }: Days, noDataSince: Date | null): DayBar[] {
  return dayBars(current ? endWithData(current, noDataSince) : [], until, summed.length, summed);
}

/** One row per monitor: lists as texts cost the client much less than values. */
export function daysQuery(monitorIds: string[], start: Date, until: Date): Prisma.Sql {
  return Prisma.sql`
    SELECT wanted.id, current.state::text AS state, current.from_at AS "from", months, known, down, worst
      FROM unnest(${monitorIds}::text[]) AS wanted (id)
           LEFT JOIN status_period AS current ON current.monitor_id = wanted.id AND current.to_at IS NULL
           CROSS JOIN LATERAL (
             SELECT array_agg(to_char(month, 'YYYY-MM')) AS months, array_agg(array_to_string(known, ',')) AS known,
                    array_agg(array_to_string(down, ',')) AS down, array_agg(array_to_string(worst, ',')) AS worst
               FROM uptime_month
              WHERE monitor_id = wanted.id AND month >= date_trunc('month', ${start}::timestamptz) AND month <= ${until}::timestamptz
           ) AS ended`;
}

function listDays({ months, known, down, worst }: Row, start: Date, days: number): DayTimes[] {
  const byMonth = new Map((months ?? []).map((month, place) => [month, place]));
  const listed: DayTimes[] = [];
  for (const [month, first, last] of monthsOf(start, days)) {
    const place = byMonth.get(month);
    const numbers = (texts: string[]) => (place === undefined ? [] : (texts[place] ?? '').split(','));
    const [ofKnown, ofDown, ofWorst] = [numbers(known), numbers(down), numbers(worst)];
    for (let day = first; day <= last; day += 1) {
      const value = (of: string[]) => Number(of[day - 1] ?? 0);
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
