import type { Phases } from '@/lib/checks/phases';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { Prisma } from '@/lib/platform/db/generated/client';
import { type Cursor, type Page, pageOf } from '@/lib/schemas/cursor';
import { REGIONS, regionNumber } from '@/lib/schemas/regions';
import { type CheckResult, OUTCOMES, type ResultsQuery } from '@/lib/schemas/result';
import { findMonitorNumber } from './find-monitor';

type Row = Omit<CheckResult, 'checkedAt' | 'region' | 'outcome' | 'phases'> &
  Phases & { at: Date; region: number; outcome: number };

/**
 * A page of a monitor's raw results, newest first. A page stays where it is while new results come in: it continues after
 * a moment and a region, which name one check of a monitor. Throws NOT_FOUND.
 */
export async function listResults(
  ctx: OrganizationContext,
  id: string,
  query: ResultsQuery,
): Promise<Page<CheckResult>> {
  const number = await findMonitorNumber(ctx, id);
  const rows = await ctx.db.$queryRaw<Row[]>(resultsQuery(number, query));
  const page = pageOf(rows, query.limit, ({ at, region }) => ({ at, tie: region }));
  return { items: page.items.map(toResult), next: page.next };
}

/** Reads backwards through the index of a monitor's results, or of those that are not good, and stops at the limit. */
export function resultsQuery(number: number, { region, outcome, limit, cursor }: ResultsQuery): Prisma.Sql {
  const conditions = [
    Prisma.sql`monitor = ${number}`,
    ...(region ? [Prisma.sql`region = ${regionNumber(region)}`] : []),
    ...(outcome ? [Prisma.sql`outcome = ${OUTCOMES.indexOf(outcome)}`] : []),
    // Said for the planner: the index of results that are not good holds all of these.
    ...(outcome && outcome !== 'ok' ? [Prisma.sql`outcome <> 0`] : []),
    ...(cursor ? [after(cursor)] : []),
  ];
  return Prisma.sql`
    SELECT checked_at AS at, region, outcome, response_time AS "responseTime", status_code AS "statusCode",
           error_code AS "errorCode", error AS "errorMessage",
           dns, connect, tls, first_byte AS "firstByte", transfer
      FROM raw.check_result
     WHERE ${Prisma.join(conditions, ' AND ')}
     ORDER BY checked_at DESC, region DESC LIMIT ${limit + 1}`;
}

function after({ at, tie }: Cursor): Prisma.Sql {
  return Prisma.sql`checked_at <= ${at} AND (checked_at < ${at} OR region < ${tie})`;
}

function toResult({
  at,
  region,
  outcome,
  dns,
  connect,
  tls,
  firstByte,
  transfer,
  ...rest
}: Row): CheckResult {
  return {
    ...rest,
    checkedAt: at.toISOString(),
    region: REGIONS.find(({ number }) => number === region)?.id ?? null,
    outcome: OUTCOMES[outcome] ?? 'unknown',
    phases: { dns, connect, tls, firstByte, transfer },
  };
}
