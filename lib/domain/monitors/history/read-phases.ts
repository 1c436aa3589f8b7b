import type { Phases } from '@/lib/checks/result';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { ownMonitor } from '@/lib/domain/monitors/find-monitor';
import { numberOf } from '@/lib/domain/monitors/last-checks';
import { Prisma } from '@/lib/platform/db/generated/client';
import { BUILT_IN_REGIONS, type RegionId, regionOf } from '@/lib/schemas/regions';
import { type ChartRange, spanOf } from './chart-range';
import type { Span } from './uptime';

/** Milliseconds of successful checks: of each phase that took place, and in total. */
export type PhaseTimes = Phases & { responseTime: number | null };

/** The time per phase of successful checks from one region, or from all if null; `checks` is the number of checks used. */
export type PhaseSummary = { region: RegionId | null; checks: number; p50: PhaseTimes; p95: PhaseTimes };

/** Both quantiles of a column; null without values. */
type Quantiles = { [Name in keyof PhaseTimes]: [number, number] | null };
type Row = Quantiles & { region: number | null; checks: number };

const MOMENTS = 200;
const TIMES = {
  responseTime: 'response_time',
  dns: 'dns',
  connect: 'connect',
  tls: 'tls',
  firstByte: 'first_byte',
  transfer: 'transfer',
} as const satisfies Record<keyof PhaseTimes, string>;

type Wanted = { id: string; organizationId: string; span: Span };

/**
 * The phases of a monitor's checks over a range, in total and by region, from a sample of checks spread evenly over it: one
 * query whose cost does not grow with the range. Only raw results have phases, so time before the oldest is omitted. Empty for
 * monitors that the organization does not have.
 */
export async function readPhases(
  ctx: OrganizationContext,
  id: string,
  range: ChartRange,
): Promise<PhaseSummary[]> {
  requirePermission(ctx, 'monitor.read');
  const { organizationId } = ctx;
  const span = spanOf(range, ctx.clock.now());
  const rows = await ctx.db.$queryRaw<Row[]>(phasesQuery({ id, organizationId, span }));
  return rows.flatMap(({ region: number, checks, ...times }) => {
    const region = regionOf(number);
    // A region that no longer exists; distinct from the row for all regions.
    if (checks === 0 || (region === null && number !== null)) return [];
    return [{ region, checks, p50: pick(times, 0), p95: pick(times, 1) }];
  });
}

function pick(times: Quantiles, place: 0 | 1): PhaseTimes {
  const { responseTime, dns, connect, tls, firstByte, transfer } = times;
  const at = (both: [number, number] | null) => both?.[place] ?? null;
  return {
    responseTime: at(responseTime),
    dns: at(dns),
    connect: at(connect),
    tls: at(tls),
    firstByte: at(firstByte),
    transfer: at(transfer),
  };
}

/**
 * Samples the first few checks after each of 200 points in time, usually one per region, because regions share an interval: 200
 * short reads of the index (monitor, checked_at). All checks of a month would be 260,000 rows.
 */
export function phasesQuery({ id, organizationId, span: { since, until } }: Wanted): Prisma.Sql {
  const step = (until.getTime() - since.getTime()) / MOMENTS / 1000;
  const quantiles = Object.entries(TIMES).map(
    ([name, column]) =>
      Prisma.sql`
           percentile_disc(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY ${Prisma.raw(column)})
             AS ${Prisma.raw(`"${name}"`)}`,
  );
  return Prisma.sql`
    WITH sample AS (
      SELECT result.*
        FROM generate_series(0, ${MOMENTS - 1}::int) AS nth
       CROSS JOIN LATERAL (
               SELECT region, outcome, response_time, dns, connect, tls, first_byte, transfer
                 FROM raw.check_result
                WHERE monitor = ${ownMonitor('number', { organizationId }, id)}
                  AND checked_at > ${since}::timestamptz + nth * make_interval(secs => ${step}::float8)
                  AND checked_at <= ${since}::timestamptz + (nth + 1) * make_interval(secs => ${step}::float8)
                ORDER BY checked_at
                LIMIT greatest(${BUILT_IN_REGIONS.length}::int,
                               cardinality(${ownMonitor('regions', { organizationId }, id)}))) AS result
       WHERE outcome = 0
    )
    SELECT region, count(*)::int AS checks, ${Prisma.join(quantiles)}
      FROM sample
     GROUP BY GROUPING SETS ((), (region))
     ORDER BY region NULLS FIRST`;
}

/** When a check from a region last failed, and why. */
export type LastFailure = { at: Date; region: RegionId; error: string | null };

/**
 * The last failed check of each region within a range, in the order of regions, in one query: of the built-in ones, and of those from which
 * the monitor is checked. Empty for monitors that the
 * organization does not have.
 */
export async function readLastFailures(
  ctx: OrganizationContext,
  id: string,
  range: ChartRange,
): Promise<LastFailure[]> {
  requirePermission(ctx, 'monitor.read');
  const { since, until } = spanOf(range, ctx.clock.now());
  const rows = await ctx.db.$queryRaw<{ at: Date; region: number; error: string | null }[]>`
    SELECT failure.at, wanted.region, failure.error
      FROM (SELECT unnest(${BUILT_IN_REGIONS.map(({ number }) => number)}::int[]) AS region
            UNION
            SELECT ${numberOf(Prisma.sql`own`)} FROM unnest(${ownMonitor('regions', ctx, id)}) AS own) AS wanted
     CROSS JOIN LATERAL (
             SELECT checked_at AS at, error
               FROM raw.check_result
              WHERE monitor = ${ownMonitor('number', ctx, id)}
                AND region = wanted.region
                AND outcome <> 0
                AND outcome = 1
                AND checked_at > ${since}
                AND checked_at <= ${until}
              ORDER BY checked_at DESC
              LIMIT 1) AS failure
     ORDER BY wanted.region`;
  return rows.flatMap(({ region, ...failure }) => {
    const known = regionOf(region);
    return known === null ? [] : [{ ...failure, region: known }];
  });
}
