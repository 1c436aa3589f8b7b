import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { PeriodState } from '@/lib/platform/db/generated/enums';
import { toMs } from '@/lib/platform/db/moment-columns';

/** Whether a period of this state counts toward uptime. */
export function isKnown(state: PeriodState): state is 'operational' | 'degraded' | 'down' {
  return state === 'operational' || state === 'degraded' || state === 'down';
}

/** When the data of monitors ended, by ID; null while there is data. */
type DataEnds = ReadonlyMap<string, { noDataSince: Date | null }>;

/** A period of the ledger; `to` is null for the current one. */
export type Period = { state: PeriodState; from: Date; to: Date | null };

/** A time that counts as another state than the ledger has. */
export type CorrectedPeriod = { state: PeriodState; from: Date; to: Date };

/** What is known of a time of a monitor: its periods as measured, and its corrections by their start. */
export type Ledger = { measured: Period[]; corrections: CorrectedPeriod[] };

/**
 * The periods of `monitors`, a query for their IDs, that overlap the time from `since` to `now`, as columns "monitorId", state, "from", "to", with two
 * index reads per monitor. Periods have no gaps, so the last one that started by `since` is the first that overlaps.
 */
export function periodsWithin(monitors: Prisma.Sql, since: Date, now: Date): Prisma.Sql {
  return Prisma.sql`
    SELECT wanted.id AS "monitorId", period.state, period.from_at AS "from", period.to_at AS "to"
      FROM (${monitors}) AS wanted (id) CROSS JOIN LATERAL (
             SELECT state, from_at, to_at FROM status_period
              WHERE monitor_id = wanted.id AND from_at < ${now}
                AND from_at >= coalesce((SELECT max(earlier.from_at) FROM status_period AS earlier
                                          WHERE earlier.monitor_id = wanted.id AND earlier.from_at <= ${since}),
                                        '-infinity')
              -- Keeps the planner from joining the whole ledger instead.
              OFFSET 0) AS period`;
}

/**
 * The period of a monitor that contains the moment `at`, or else its first, with the sums before it: a query that reads one or two
 * index entries.
 */
export function periodAt(monitorId: Prisma.Sql, at: Prisma.Sql): Prisma.Sql {
  const own = Prisma.sql`
    SELECT state, from_at, to_at, known_before, down_before
      FROM status_period AS period
     WHERE period.monitor_id = ${monitorId}`;
  return Prisma.sql`
    (${own} AND from_at <= ${at} AND to_at > from_at ORDER BY from_at DESC LIMIT 1)
    UNION ALL
    (${own} ORDER BY from_at LIMIT 1) LIMIT 1`;
}

/**
 * The periods of monitors that overlap the time from `since` to `now`, in no order, and the corrections of that time, by monitor ID, in one
 * query. Each monitor's periods are aggregated to one text, because thousands of rows would dominate the cost of a page. The current period
 * ends where data ended, even if the ledger does not have it yet.
 */
export async function readLedgers(
  db: Pick<Database, '$queryRaw'>,
  monitors: Prisma.Sql,
  { since, now, silences }: { since: Date; now: Date; silences: DataEnds },
): Promise<Map<string, Ledger>> {
  const byMonitor = new Map<string, Ledger>();
  const rows = await db.$queryRaw<{ monitorId: string; periods: string; corrections: string | null }[]>`
    SELECT "monitorId",
           string_agg(concat_ws(' ', state, ${toMs(Prisma.sql`"from"`)}, ${toMs(Prisma.sql`"to"`)}), ',') AS periods,
           (SELECT string_agg(concat_ws(' ', state, ${toMs(Prisma.sql`from_at`)}, ${toMs(Prisma.sql`to_at`)}), ','
                              ORDER BY from_at)
              FROM ledger_correction
             WHERE monitor_id = "monitorId" AND from_at < ${now} AND to_at > ${since}) AS corrections
      FROM (${periodsWithin(monitors, since, now)}) AS period
     GROUP BY 1`;
  for (const { monitorId, periods, corrections } of rows) {
    const noDataSince = silences.get(monitorId)?.noDataSince ?? null;
    byMonitor.set(monitorId, {
      measured: periods.split(',').flatMap((text) => endWithData(parsePeriod(text), noDataSince)),
      corrections: (corrections?.split(',') ?? []).map(parseCorrection),
    });
  }
  return byMonitor;
}

/** Ends the current period where data ended and continues with unknown time. */
export function endWithData(period: Period, noDataSince: Date | null): Period[] {
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

function parseCorrection(text: string): CorrectedPeriod {
  const { state, from, to } = parsePeriod(text);
  return { state, from, to: to ?? from };
}
