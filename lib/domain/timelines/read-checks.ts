import { toTransition } from '@/lib/domain/monitors/history/ledger';
import type { Span } from '@/lib/domain/monitors/history/uptime';
import { IS_TIMELY } from '@/lib/domain/monitors/last-checks';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { PeriodState } from '@/lib/platform/db/generated/enums';
import { OUTCOMES } from '@/lib/schemas/monitor/result';
import { regionOf } from '@/lib/schemas/regions';
import type { Scope, TimelineEntry } from './timeline-entry';

/** The failed checks of a monitor that are counted. */
const MAX_FAILURES = 1000;
const MAX_TRANSITIONS = 200;

type FailureRow = {
  id: string;
  name: string;
  region: number;
  at: Date;
  until: Date;
  checks: number;
  hasMore: boolean;
  error: string | null;
  evidenceId: string | null;
};

/**
 * The first failed check of each monitor and region in a span, in one statement: forward through the partial index of
 * unsuccessful results, at most `MAX_FAILURES` rows per monitor.
 */
export async function readFailures(
  { db, organizationId }: Scope,
  monitorIds: readonly string[],
  { since, until }: Span,
): Promise<TimelineEntry[]> {
  const rows = await db.$queryRaw<FailureRow[]>`
    SELECT monitor.id, monitor.name, first.region::int AS region, first.checked_at AS at, first.until,
           first.checks, first."hasMore", first.error,
           (SELECT id
              FROM check_evidence
             WHERE monitor_id = monitor.id
               AND checked_at = first.checked_at
               AND check_evidence.region = first.region
             LIMIT 1) AS "evidenceId"
      FROM monitor
      CROSS JOIN LATERAL (
        SELECT DISTINCT ON (region) region, checked_at, error,
               count(*) OVER own::int AS checks, max(checked_at) OVER own AS until,
               count(*) OVER () >= ${MAX_FAILURES} AS "hasMore"
          FROM (SELECT region, checked_at, error
                  FROM raw.check_result
                 WHERE monitor = monitor.number
                   AND checked_at BETWEEN ${since} AND ${until}
                   AND outcome = ${OUTCOMES.indexOf('failed')}
                   AND outcome <> 0
                   AND ${IS_TIMELY}
                 ORDER BY checked_at
                 LIMIT ${MAX_FAILURES}) AS failed
        WINDOW own AS (PARTITION BY region)
         ORDER BY region, checked_at) AS first
     WHERE monitor.organization_id = ${organizationId} AND monitor.id = ANY(${[...monitorIds]})`;
  return rows.map(({ id, name, region, ...rest }) => ({
    kind: 'failures',
    id: `${id} ${region}`,
    monitor: { id, name },
    region: regionOf(region),
    ...rest,
  }));
}

type PeriodRow = {
  id: bigint;
  monitorId: string;
  name: string;
  state: PeriodState;
  from: Date;
  to: Date | null;
  decidedAt: Date;
  why: unknown;
  before: PeriodState | null;
};

/** The status changes of monitors in a span, each when it was decided, in one statement. */
export async function readTransitions(
  { db, organizationId }: Scope,
  monitorIds: readonly string[],
  { since, until }: Span,
): Promise<TimelineEntry[]> {
  const before = Prisma.sql`
    (SELECT state FROM status_period AS earlier
      WHERE earlier.monitor_id = period.monitor_id AND earlier.from_at <= period.from_at AND earlier.id < period.id
      ORDER BY from_at DESC, id DESC LIMIT 1)`;
  const rows = await db.$queryRaw<PeriodRow[]>`
    SELECT period.id, monitor.id AS "monitorId", name, state, from_at AS "from", to_at AS "to",
           decided_at AS "decidedAt", why, ${before} AS before
      FROM monitor
      JOIN status_period AS period ON period.monitor_id = monitor.id
     WHERE monitor.organization_id = ${organizationId}
       AND monitor.id = ANY(${[...monitorIds]})
       AND from_at BETWEEN ${since} AND ${until}
     ORDER BY from_at, period.id
     LIMIT ${MAX_TRANSITIONS}`;
  return rows.map(({ id, monitorId, name, before, ...period }) => ({
    kind: 'transition',
    id: String(id),
    at: period.decidedAt,
    monitor: { id: monitorId, name },
    transition: toTransition(period, before),
  }));
}
