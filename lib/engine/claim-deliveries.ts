import type { Services } from '@/lib/context/services';
import { createId } from '@/lib/core/ids';
import { Prisma } from '@/lib/db/generated/client';
import type { DeliveryKind, DeliveryStatus } from '@/lib/schemas/delivery';
import type { SealedSecrets } from '@/lib/webhooks/signing-secrets';

/** A try that this process alone may make, recorded before the request goes out. */
export type ClaimedDelivery = {
  id: string;
  attemptId: string;
  /** 1 for the first try; also the number of its attempt row. */
  attempt: number;
  /** A replay or a test: outside of the schedule. */
  manual: boolean;
  status: DeliveryStatus;
  failures: number;
  endpointId: string;
  kind: DeliveryKind;
  /** The exact text that is sent. */
  payload: string;
  /** Whether it is signed: messages to chat products are not. */
  isSigned: boolean;
  occurredAt: Date;
  /** Null: the endpoint was deleted. */
  endpoint: ({ url: string; enabled: boolean } & SealedSecrets) | null;
};

type Row = Omit<ClaimedDelivery, 'endpoint'> & {
  url: string | null;
  enabled: boolean | null;
  secretSealed: Uint8Array | null;
  nextSecretSealed: Uint8Array | null;
  rotationEndsAt: Date | null;
};

/** How many tries an endpoint has under way in this process. */
export type RunningTries = { endpointId: string; tries: number };

export type ClaimOptions = {
  limit: number;
  perEndpoint: number;
  running: RunningTries[];
  workerId: string;
};

/** A try ends after 30 s at the latest; a lease that outlives it marks a worker that died. */
const LEASE_SECONDS = 40;

/**
 * Claims at most `limit` due deliveries, replays and tests first, then the longest due, and writes an attempt row for
 * each. With those that are running, no endpoint gets more than `perEndpoint`. Reads only the indexes of deliveries that
 * still wait for a try.
 */
export async function claimDueDeliveries(
  { db, clock }: Services,
  { workerId, ...options }: ClaimOptions,
): Promise<ClaimedDelivery[]> {
  const now = clock.now();
  const attemptIds = Array.from({ length: options.limit }, () => createId('attempt'));
  const rows = await db.$queryRaw<Row[]>`
    WITH ${dueDeliveries(now, options)}, claimed AS (
      UPDATE delivery SET attempts = attempts + 1, claimed_by = ${workerId},
             lease_until = ${now}::timestamptz + make_interval(secs => ${LEASE_SECONDS}::int)
        FROM due WHERE delivery.id = due.id
      RETURNING delivery.*, due.manual
    ), numbered AS (
      SELECT *, row_number() OVER () AS place FROM claimed
    ), begun AS (
      INSERT INTO delivery_attempt (id, delivery_id, number, manual, started_at)
      SELECT attempt.id, numbered.id, numbered.attempts, numbered.manual, ${now}
        FROM numbered JOIN unnest(${attemptIds}::text[]) WITH ORDINALITY AS attempt (id, place) USING (place)
      RETURNING id, delivery_id
    )
    SELECT claimed.id, begun.id AS "attemptId", claimed.attempts AS attempt, claimed.manual,
           claimed.status::text AS status, claimed.failures, claimed.endpoint_id AS "endpointId",
           event.kind, coalesce(claimed.body, event.payload) AS payload, claimed.body IS NULL AS "isSigned",
           event.occurred_at AS "occurredAt",
           endpoint.url, endpoint.enabled, endpoint.secret_sealed AS "secretSealed",
           endpoint.next_secret_sealed AS "nextSecretSealed", endpoint.rotation_ends_at AS "rotationEndsAt"
      FROM claimed
      JOIN begun ON begun.delivery_id = claimed.id
      JOIN outbox_event AS event ON event.id = claimed.event_id
      LEFT JOIN webhook_endpoint AS endpoint ON endpoint.id = claimed.endpoint_id`;
  return rows.map(toClaimed);
}

/**
 * What may be claimed, locked. The endpoints that wait are walked through their index, and each gives as many candidates as
 * it has places: the backlog of one that hangs costs nothing. A locking SELECT cannot count, so it comes after; what
 * another worker took meanwhile is seen by its conditions and left out.
 */
function dueDeliveries(
  now: Date,
  { limit, perEndpoint, running }: Omit<ClaimOptions, 'workerId'>,
): Prisma.Sql {
  const isFree = Prisma.sql`(delivery.lease_until IS NULL OR delivery.lease_until < ${now})`;
  const isManual = Prisma.sql`delivery.manual_attempt_at <= ${now}`;
  const isScheduled = Prisma.sql`
    delivery.status = 'pending' AND delivery.next_attempt_at <= ${now} AND delivery.manual_attempt_at IS NULL`;
  return Prisma.sql`
    RECURSIVE waiting AS (
      (SELECT endpoint_id FROM delivery WHERE status = 'pending' ORDER BY endpoint_id LIMIT 1)
      UNION ALL
      SELECT (SELECT delivery.endpoint_id FROM delivery
               WHERE status = 'pending' AND delivery.endpoint_id > waiting.endpoint_id
               ORDER BY delivery.endpoint_id LIMIT 1)
        FROM waiting WHERE waiting.endpoint_id IS NOT NULL
    ), running AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(running)}::jsonb) AS running ("endpointId" text, tries int)
    ), candidate AS (
      (SELECT id, endpoint_id, manual_attempt_at AS due_at, true AS manual FROM delivery
        WHERE ${isManual} AND ${isFree} ORDER BY manual_attempt_at LIMIT ${limit})
      UNION ALL
      (SELECT scheduled.*, false
         FROM waiting LEFT JOIN running ON running."endpointId" = waiting.endpoint_id
        CROSS JOIN LATERAL (
          SELECT id, endpoint_id, next_attempt_at FROM delivery
           WHERE delivery.endpoint_id = waiting.endpoint_id AND ${isScheduled} AND ${isFree}
           ORDER BY next_attempt_at LIMIT greatest(0, ${perEndpoint}::int - coalesce(running.tries, 0))) AS scheduled)
    ), placed AS (
      SELECT *, row_number() OVER (PARTITION BY endpoint_id ORDER BY manual DESC, due_at) AS place FROM candidate
    ), due AS (
      SELECT delivery.id, placed.manual FROM placed JOIN delivery ON delivery.id = placed.id
        LEFT JOIN running ON running."endpointId" = placed.endpoint_id
       WHERE placed.place <= ${perEndpoint}::int - coalesce(running.tries, 0)
         AND ${isFree} AND CASE WHEN placed.manual THEN ${isManual} ELSE ${isScheduled} END
       ORDER BY placed.manual DESC, placed.due_at LIMIT ${limit} FOR UPDATE OF delivery SKIP LOCKED
    )`;
}

function toClaimed(row: Row): ClaimedDelivery {
  const { url, enabled, secretSealed, nextSecretSealed, rotationEndsAt, ...claimed } = row;
  const isThere = url !== null && enabled !== null && secretSealed !== null;
  return {
    ...claimed,
    endpoint: isThere ? { url, enabled, secretSealed, nextSecretSealed, rotationEndsAt } : null,
  };
}

/** When the next delivery that waits for a try is due; null when none waits. */
export async function nextDeliveryAt({ db, clock }: Services): Promise<Date | null> {
  const now = clock.now();
  const rows = await db.$queryRaw<{ dueAt: Date }[]>`
    (SELECT manual_attempt_at AS "dueAt" FROM delivery
      WHERE manual_attempt_at IS NOT NULL AND (lease_until IS NULL OR lease_until < ${now})
      ORDER BY manual_attempt_at LIMIT 1)
    UNION ALL
    (SELECT next_attempt_at FROM delivery
      WHERE status = 'pending' AND (lease_until IS NULL OR lease_until < ${now})
      ORDER BY next_attempt_at LIMIT 1)
    ORDER BY "dueAt" LIMIT 1`;
  return rows[0]?.dueAt ?? null;
}
