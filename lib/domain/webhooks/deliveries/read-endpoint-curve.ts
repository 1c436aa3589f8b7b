import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { Prisma } from '@/lib/platform/db/generated/client';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** 4-hour steps. */
const WIDTH_MS = 4 * HOUR_MS;
const COUNT = (7 * DAY_MS) / WIDTH_MS;
/** The schedule of a delivery takes less than this; replays of older deliveries are not counted. */
const SCHEDULE_MS = 2 * DAY_MS;
/** The newest deliveries of an endpoint that are read: more would hold up its page. */
export const MAX_CURVE_DELIVERIES = 10_000;

/** The requests of a step; `median` is the response time in milliseconds of those that had a response, null without any. */
export type CurveStep = { attempts: number; failures: number; median: number | null };

/** The requests to an endpoint in the last 7 days, in steps of `width` milliseconds. */
export type EndpointCurve = {
  /** When the first step begins, in milliseconds. */
  from: number;
  width: number;
  steps: CurveStep[];
  /** The creation time of the oldest delivery that is counted if there are too many to count all; else null. */
  since: Date | null;
};

type Row = CurveStep & { step: number };
type Deliveries = { organizationId: string; endpointId: string; from: Date };

const NO_ATTEMPTS: CurveStep = { attempts: 0, failures: 0, median: null };

/** The latency and success of an endpoint. Without any attempts for endpoints of other organizations. Throws FORBIDDEN. */
export async function readEndpointCurve(
  ctx: OrganizationContext,
  endpointId: string,
  limit = MAX_CURVE_DELIVERIES,
): Promise<EndpointCurve> {
  requirePermission(ctx, 'delivery.read');
  const { db, organizationId, clock } = ctx;
  const end = (Math.floor(clock.now().getTime() / WIDTH_MS) + 1) * WIDTH_MS;
  const from = end - COUNT * WIDTH_MS;
  const deliveries = newestDeliveries({ organizationId, endpointId, from: new Date(from) });
  const [rows, oldest] = await Promise.all([
    db.$queryRaw<Row[]>(curveQuery(Prisma.sql`${deliveries} LIMIT ${limit}`, new Date(from))),
    db.$queryRaw<{ createdAt: Date }[]>`
      SELECT created_at AS "createdAt" FROM (${deliveries} OFFSET ${limit} - 1 LIMIT 1) AS oldest`,
  ]);
  const byStep = new Map(rows.map(({ step, ...counted }) => [step, counted]));
  const steps = Array.from({ length: COUNT }, (_, step) => byStep.get(step) ?? NO_ATTEMPTS);
  return { from, width: WIDTH_MS, steps, since: oldest[0]?.createdAt ?? null };
}

function newestDeliveries({ organizationId, endpointId, from }: Deliveries): Prisma.Sql {
  return Prisma.sql`
    SELECT id, created_at FROM delivery
     WHERE organization_id = ${organizationId} AND endpoint_id = ${endpointId}
       AND created_at >= ${new Date(from.getTime() - SCHEDULE_MS)}
     ORDER BY created_at DESC`;
}

/**
 * The steps that have attempts. Without a URL, nothing was sent, or the worker crashed before it had a result. OFFSET makes the
 * planner look up the attempts of each delivery, rather than read those of all endpoints.
 */
function curveQuery(deliveries: Prisma.Sql, from: Date): Prisma.Sql {
  return Prisma.sql`
    SELECT floor(extract(epoch FROM started_at - ${from}::timestamptz) * 1000 / ${WIDTH_MS}::int)::int AS step,
           count(*)::int AS attempts, count(*) FILTER (WHERE error IS NOT NULL)::int AS failures,
           percentile_disc(0.5) WITHIN GROUP (ORDER BY duration) FILTER (WHERE status_code IS NOT NULL) AS median
      FROM (${deliveries}) AS newest
     CROSS JOIN LATERAL (SELECT * FROM delivery_attempt WHERE delivery_id = newest.id OFFSET 0) AS attempt
     WHERE started_at >= ${from} AND finished_at IS NOT NULL AND url IS NOT NULL
     GROUP BY step`;
}
