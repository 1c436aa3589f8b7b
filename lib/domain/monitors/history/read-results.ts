import type { Phases } from '@/lib/checks/result';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { findMonitorNumber, ownMonitor } from '@/lib/domain/monitors/find-monitor';
import { IS_TIMELY, numberOf } from '@/lib/domain/monitors/last-checks';
import { Prisma } from '@/lib/platform/db/generated/client';
import { toMs } from '@/lib/platform/db/moment-columns';
import { type Cursor, type Page, pageOf } from '@/lib/schemas/cursor';
import { type CheckResult, type Findings, OUTCOMES, type ResultsQuery } from '@/lib/schemas/monitor/result';
import { compareRegions, regionNumber, regionOf } from '@/lib/schemas/regions';
import type { MonitorState } from '@/lib/state/types';

/** The number of checks read: enough to include each of 50 regions, even if one is late. */
const LOOKED_AT = 100;

type Row = Omit<Findings, 'phases'> &
  Phases & {
    at: Date;
    tie: number;
    region: number;
    outcome: number;
    late: boolean;
    findings: Findings | null;
  };

/** Added to the number of a region, which is less, to tell a manual check from a scheduled one that began at the same time. */
const MANUAL_TIE = 100_000;

/**
 * A page of a monitor's raw results, newest first. Time and region identify a check, so pages are stable while new results
 * arrive. Throws NOT_FOUND.
 */
export async function listResults(
  ctx: OrganizationContext,
  id: string,
  query: ResultsQuery,
): Promise<Page<CheckResult>> {
  requirePermission(ctx, 'monitor.read');
  const rows = await ctx.db.$queryRaw<Row[]>(resultsQuery(ctx, id, query));
  if (rows.length === 0) await findMonitorNumber(ctx, id);
  const page = pageOf(rows, query.limit, ({ at, tie }) => ({ at, tie }));
  return { items: page.items.map(toResult), next: page.next };
}

/** A check, and the ID of what is kept of what it saw; null if nothing is. */
export type ListedCheck = { result: CheckResult; evidenceId: string | null };

/** `listResults` with the evidence of each check, in the same statement. */
export async function listChecks(
  ctx: OrganizationContext,
  id: string,
  query: ResultsQuery,
): Promise<Page<ListedCheck>> {
  requirePermission(ctx, 'monitor.read');
  const evidence = Prisma.sql`
    (SELECT id
       FROM check_evidence
      WHERE monitor_id = ${ownMonitor('id', ctx, id)}
        AND checked_at = at
        AND check_evidence.region = result.region
        AND findings IS NULL
      LIMIT 1) AS "evidenceId"`;
  const rows = await ctx.db.$queryRaw<(Row & { evidenceId: string | null })[]>(
    resultsQuery(ctx, id, query, Prisma.sql`, ${evidence}`),
  );
  if (rows.length === 0) await findMonitorNumber(ctx, id);
  const page = pageOf(rows, query.limit, ({ at, tie }) => ({ at, tie }));
  const items = page.items.map(({ evidenceId, ...row }) => ({ result: toResult(row), evidenceId }));
  return { items, next: page.next };
}

/** The rows of a page, and one more; with `more` columns of the rows that remain. */
export function resultsQuery(
  ctx: Pick<OrganizationContext, 'organizationId'>,
  id: string,
  query: ResultsQuery,
  more = Prisma.empty,
): Prisma.Sql {
  const { trigger, limit } = query;
  const sources = [
    ...(trigger === 'manual' ? [] : [scheduledQuery(ownMonitor('number', ctx, id), query)]),
    ...(trigger === 'schedule' ? [] : [manualQuery(ownMonitor('id', ctx, id), query)]),
  ];
  return Prisma.sql`
    SELECT *${more}
      FROM (${Prisma.join(sources, ' UNION ALL ')}) AS result
     ORDER BY at DESC, tie DESC
     LIMIT ${limit + 1}`;
}

/** Reads backwards through the index of a monitor's results, or of its unsuccessful ones, and stops at the limit. */
function scheduledQuery(
  number: Prisma.Sql,
  { region, outcome, limit, cursor }: Omit<ResultsQuery, 'trigger'>,
  which: readonly Prisma.Sql[] = [],
): Prisma.Sql {
  const conditions = [
    Prisma.sql`monitor = ${number}`,
    ...which,
    ...(region ? [Prisma.sql`region = ${regionNumber(region)}`] : []),
    ...(outcome ? [Prisma.sql`outcome = ${OUTCOMES.indexOf(outcome)}`] : []),
    // For the planner: the partial index of unsuccessful results contains all of these.
    ...(outcome && outcome !== 'ok' ? [Prisma.sql`outcome <> 0`] : []),
    ...(cursor ? [after(cursor, Prisma.sql`region`)] : []),
  ];
  return Prisma.sql`
    (SELECT checked_at AS at, region::int AS tie, region::int, outcome, response_time AS "responseTime",
            status_code::int AS "statusCode", error_code AS "errorCode", error AS "errorMessage",
            dns, connect, tls, first_byte AS "firstByte", transfer, late IS NOT NULL AS late, NULL::jsonb AS findings
       FROM raw.check_result
      WHERE ${Prisma.join(conditions, ' AND ')}
      ORDER BY checked_at DESC, region DESC LIMIT ${limit + 1})`;
}

/** The same of the checks that were requested, which are few. */
function manualQuery(monitorId: Prisma.Sql, { region, outcome, limit, cursor }: ResultsQuery): Prisma.Sql {
  const number = numberOf(Prisma.sql`region`);
  const tie = Prisma.sql`${MANUAL_TIE}::int + ${number}`;
  const conditions = [
    Prisma.sql`monitor_id = ${monitorId} AND checked_at IS NOT NULL`,
    ...(region ? [Prisma.sql`region = ${region}`] : []),
    ...(outcome ? [Prisma.sql`outcome = ${OUTCOMES.indexOf(outcome)}`] : []),
    ...(cursor ? [after(cursor, tie)] : []),
  ];
  return Prisma.sql`
    (SELECT checked_at AS at, ${tie} AS tie, ${number} AS region, outcome,
            NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false AS late, findings
       FROM manual_check
      WHERE ${Prisma.join(conditions, ' AND ')}
      ORDER BY checked_at DESC, tie DESC
      LIMIT ${limit + 1})`;
}

function after({ at, tie }: Cursor, tieOf: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`checked_at <= ${at} AND (checked_at < ${at} OR ${tieOf} < ${tie}::bigint)`;
}

function toResult(row: Row): CheckResult {
  const {
    at,
    tie: _,
    region,
    outcome,
    late,
    findings,
    dns,
    connect,
    tls,
    firstByte,
    transfer,
    ...rest
  } = row;
  const phases = { dns, connect, tls, firstByte, transfer };
  return {
    checkedAt: at.toISOString(),
    region: regionOf(region),
    outcome: OUTCOMES[outcome] ?? 'unknown',
    trigger: findings === null ? 'schedule' : 'manual',
    late,
    ...rest,
    phases,
    ...findings,
  };
}

/** The latest check of each region with recent results that arrived in time, in the order of regions, in one query. Throws NOT_FOUND. */
export async function readLatestChecks(ctx: OrganizationContext, id: string): Promise<CheckResult[]> {
  requirePermission(ctx, 'monitor.read');
  const recent = scheduledQuery(ownMonitor('number', ctx, id), { limit: LOOKED_AT }, [IS_TIMELY]);
  const rows = await ctx.db.$queryRaw<(Row & { atMs: number })[]>`
    SELECT DISTINCT ON (region) *, ${toMs(Prisma.sql`at`)} AS "atMs" FROM ${recent} AS recent ORDER BY region, at DESC`;
  if (rows.length === 0) await findMonitorNumber(ctx, id);
  const results = rows.map(({ atMs, ...row }) => toResult({ ...row, at: new Date(atMs) }));
  const latest = results.flatMap((result) => {
    const { region } = result;
    return region === null ? [] : [{ ...result, region }];
  });
  return latest.sort((a, b) => compareRegions(a.region, b.region));
}

/** The earliest expiry that any region sees: servers with the same name can have different certificates. */
export function certificateEnd({ regions }: Pick<MonitorState, 'regions'>): Date | null {
  const ends = Object.values(regions).flatMap(({ latest }) => latest?.certificateExpiresAt ?? []);
  return ends.length > 0 ? new Date(Math.min(...ends)) : null;
}
