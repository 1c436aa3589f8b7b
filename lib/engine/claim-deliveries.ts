import type { Services } from '@/lib/context/services';
import { createId } from '@/lib/core/ids';
import type { EventKind } from '@/lib/schemas/webhook';

/** A try that this process alone may make, recorded before the request goes out. */
export type ClaimedDelivery = {
  id: string;
  attemptId: string;
  /** 1 for the first try; also the number of its attempt row. */
  attempt: number;
  failures: number;
  endpointId: string;
  kind: EventKind;
  payload: string;
  occurredAt: Date;
  /** Null: the endpoint was deleted. */
  endpoint: { url: string; enabled: boolean; secretSealed: Uint8Array } | null;
};

type Row = Omit<ClaimedDelivery, 'attemptId' | 'endpoint'> & {
  url: string | null;
  enabled: boolean | null;
  secretSealed: Uint8Array | null;
};

/** A try ends after 30 s at the latest; a lease that outlives it marks a worker that died. */
const LEASE_SECONDS = 40;

/**
 * Claims at most `limit` due deliveries, longest due first, none of `busyEndpoints`, and writes an attempt row for
 * each. Reads only the index of deliveries that still wait.
 */
export async function claimDueDeliveries(
  { db, clock }: Services,
  { limit, busyEndpoints, workerId }: { limit: number; busyEndpoints: string[]; workerId: string },
): Promise<ClaimedDelivery[]> {
  const now = clock.now();
  return db.$transaction(async (tx) => {
    const rows = await tx.$queryRaw<Row[]>`
      WITH due AS (
        SELECT id FROM delivery
         WHERE status = 'pending' AND next_attempt_at <= ${now} AND (lease_until IS NULL OR lease_until < ${now})
           AND NOT endpoint_id = ANY(${busyEndpoints})
         ORDER BY next_attempt_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
      ), claimed AS (
        UPDATE delivery SET attempts = attempts + 1, claimed_by = ${workerId},
               lease_until = ${now}::timestamptz + make_interval(secs => ${LEASE_SECONDS}::int)
          FROM due WHERE delivery.id = due.id
        RETURNING delivery.*
      )
      SELECT claimed.id, claimed.attempts AS attempt, claimed.failures, claimed.endpoint_id AS "endpointId",
             event.kind, event.payload, event.occurred_at AS "occurredAt",
             endpoint.url, endpoint.enabled, endpoint.secret_sealed AS "secretSealed"
        FROM claimed
        JOIN outbox_event AS event ON event.id = claimed.event_id
        LEFT JOIN webhook_endpoint AS endpoint ON endpoint.id = claimed.endpoint_id`;
    const claimed = rows.map(({ url, enabled, secretSealed, ...row }) => ({
      ...row,
      attemptId: createId('attempt'),
      endpoint:
        url !== null && enabled !== null && secretSealed !== null ? { url, enabled, secretSealed } : null,
    }));
    await tx.deliveryAttempt.createMany({
      data: claimed.map(({ id, attemptId, attempt }) => ({
        id: attemptId,
        deliveryId: id,
        number: attempt,
        startedAt: now,
      })),
    });
    return claimed;
  });
}

/** When the next waiting delivery is due; null when none waits. */
export async function nextDeliveryAt({ db, clock }: Services): Promise<Date | null> {
  const rows = await db.$queryRaw<{ dueAt: Date }[]>`
    SELECT next_attempt_at AS "dueAt" FROM delivery
     WHERE status = 'pending' AND (lease_until IS NULL OR lease_until < ${clock.now()})
     ORDER BY next_attempt_at LIMIT 1`;
  return rows[0]?.dueAt ?? null;
}
