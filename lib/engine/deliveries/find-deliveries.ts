import type { Services } from '@/lib/domain/context/services';
import { Prisma } from '@/lib/platform/db/generated/client';

/** A delivery that was due and free when searched for. It is not claimed: another worker may be faster. */
export type Candidate = {
  id: string;
  endpointId: string;
  organizationId: string;
  /** A replay or a test, outside the schedule. */
  manual: boolean;
  /** A scheduled attempt has failed before. */
  isRetry: boolean;
};

export type Search = {
  now: Date;
  /** Maximum first attempts, and maximum retries, per endpoint. */
  depth: number;
  /** Only these endpoints, or all but those with enough of a kind. Always includes manual attempts. */
  endpoints: { only: string[] } | { except: { first: string[]; retries: string[] } };
};

/** Maximum across all endpoints; the next search finds the rest, since the others have enough by then. */
const MAX_FOUND = 5000;
const MAX_MANUAL = 1000;

/**
 * Finds due deliveries, per endpoint first attempts before retries and the longest due first, and whether
 * there are more than returned. Walks the index of endpoints with pending deliveries and reads at most
 * `depth` of each kind, so that the backlog of a hanging endpoint costs nothing. BETWEEN keeps the planner on
 * the indexes of pending deliveries: with an equality it would consider the time index just as good and walk
 * the backlogs of all others.
 */
export async function findDueDeliveries(
  { db }: Pick<Services, 'db'>,
  search: Search,
): Promise<{ found: Candidate[]; isCut: boolean }> {
  const found = await db.$queryRaw<Candidate[]>(dueDeliveriesQuery(search));
  return { found, isCut: found.filter(({ manual }) => !manual).length >= MAX_FOUND };
}

/** The statement of `findDueDeliveries`; a test explains it. */
export function dueDeliveriesQuery(search: Search): Prisma.Sql {
  const { now, endpoints } = search;
  return Prisma.sql`
    WITH RECURSIVE ${pendingEndpoints(endpoints)}, scheduled AS (
      SELECT due.* FROM waiting CROSS JOIN LATERAL (
        ${dueOfEndpoint(search, Prisma.sql`wants_first`, Prisma.sql`NOT (failures > 0)`)}
        UNION ALL
        ${dueOfEndpoint(search, Prisma.sql`wants_retries`, Prisma.sql`(failures > 0)`)}
      ) AS due
       LIMIT ${MAX_FOUND}
    ), requested AS (
      SELECT id, endpoint_id, organization_id, failures > 0 AS is_retry, manual_attempt_at FROM delivery
       WHERE ${isManual(now)} AND ${isFree(now)}
       ORDER BY manual_attempt_at LIMIT ${MAX_MANUAL}
    )
    SELECT id, endpoint_id AS "endpointId", organization_id AS "organizationId", true AS manual,
           is_retry AS "isRetry", manual_attempt_at AS due_at FROM requested
    UNION ALL
    SELECT id, endpoint_id, organization_id, false, is_retry, next_attempt_at FROM scheduled
    ORDER BY manual DESC, "isRetry", due_at`;
}

/** Due deliveries of one kind for the endpoint of `waiting`, if that column of it is set. */
function dueOfEndpoint({ now, depth }: Search, isWanted: Prisma.Sql, isOfKind: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
      (SELECT id, endpoint_id, organization_id, failures > 0 AS is_retry, next_attempt_at FROM delivery
        WHERE waiting.${isWanted} AND delivery.endpoint_id BETWEEN waiting.endpoint_id AND waiting.endpoint_id
          AND ${isOfKind} AND ${isScheduled(now)} AND ${isFree(now)}
        ORDER BY delivery.endpoint_id, (failures > 0), next_attempt_at LIMIT ${depth})`;
}

/** `known`, for WITH RECURSIVE: endpoints with pending deliveries, one index read each, then a null row. */
export const KNOWN_ENDPOINTS = Prisma.sql`
    known AS (
      (SELECT endpoint_id FROM delivery WHERE status = 'pending' ORDER BY endpoint_id LIMIT 1)
      UNION ALL
      SELECT (SELECT delivery.endpoint_id FROM delivery
               WHERE status = 'pending' AND delivery.endpoint_id > known.endpoint_id
               ORDER BY delivery.endpoint_id LIMIT 1)
        FROM known WHERE known.endpoint_id IS NOT NULL
    )`;

function pendingEndpoints(endpoints: Search['endpoints']): Prisma.Sql {
  if ('only' in endpoints) {
    return Prisma.sql`waiting AS (
      SELECT endpoint_id, true AS wants_first, true AS wants_retries
        FROM unnest(${endpoints.only}::text[]) AS only_these (endpoint_id))`;
  }
  const { first, retries } = endpoints.except;
  return Prisma.sql`
    ${KNOWN_ENDPOINTS}, waiting AS (
      SELECT endpoint_id, endpoint_id <> ALL(${first}::text[]) AS wants_first,
             endpoint_id <> ALL(${retries}::text[]) AS wants_retries
        FROM known WHERE endpoint_id IS NOT NULL
    )`;
}

/** No attempt is in progress, according to its lease. */
export const isFree = (now: Date) =>
  Prisma.sql`(delivery.lease_until IS NULL OR delivery.lease_until < ${now})`;

/** A replay or a test is due. */
export const isManual = (now: Date) => Prisma.sql`delivery.manual_attempt_at <= ${now}`;

/** Its next scheduled attempt is due. */
export const isScheduled = (now: Date) => Prisma.sql`
  delivery.status = 'pending' AND delivery.next_attempt_at <= ${now} AND delivery.manual_attempt_at IS NULL`;

/** When the next delivery falls due after `after`. */
export function nextDeliveryAt(after: Date): Prisma.Sql {
  return Prisma.sql`
    least((SELECT min(manual_attempt_at) FROM delivery WHERE manual_attempt_at > ${after}),
          (SELECT min(next_attempt_at) FROM delivery WHERE status = 'pending' AND next_attempt_at > ${after}))`;
}

/** When the oldest due delivery that is not being attempted became due; null if there is none. */
export async function oldestDueDelivery({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<Date | null> {
  const now = clock.now();
  const rows = await db.$queryRaw<{ dueAt: Date }[]>`
    (SELECT next_attempt_at AS "dueAt" FROM delivery WHERE ${isScheduled(now)} AND ${isFree(now)}
      ORDER BY next_attempt_at LIMIT 1)
    UNION ALL
    (SELECT manual_attempt_at FROM delivery WHERE ${isManual(now)} AND ${isFree(now)}
      ORDER BY manual_attempt_at LIMIT 1)
    ORDER BY "dueAt" LIMIT 1`;
  return rows[0]?.dueAt ?? null;
}
