import { type JournalEntry, writeJournal } from '@/lib/core/journal/journal';
import type { Services } from '@/lib/domain/context/services';
import { mailOwner } from '@/lib/domain/subscribers/endpoints/endpoint-mails';
import { PRIVATE_KIND } from '@/lib/domain/subscribers/endpoints/page-events';
import { nextAttemptAt } from '@/lib/domain/webhooks/retry-schedule';
import type { SealedSecrets } from '@/lib/domain/webhooks/sign';
import { afterCommit } from '@/lib/platform/db/after-commit';
import { claimWork, endOfFailure, type LeasedWork, settleClaims } from '@/lib/platform/db/claims';
import { Prisma } from '@/lib/platform/db/generated/client';

/** An endpoint is stopped after attempts have failed for this long and this many deliveries have failed for good, as webhooks of organizations are. */
const FAILING_MS = 5 * 86_400_000;
const FAILED_DELIVERIES = 3;

/** An attempt that only this process may make. */
export type ClaimedSubscriberDelivery = Omit<SealedSecrets, 'secretSealed'> & {
  id: string;
  subscriberId: string;
  eventId: string;
  kind: string;
  payload: string;
  occurredAt: Date;
  /** 1 for the first attempt. */
  attempt: number;
  failures: number;
  urlSealed: Uint8Array;
  /** Null: messages to Slack are not signed. */
  secretSealed: Uint8Array | null;
};

/** Attempts that run for the pages of one organization at a time, so that its slow endpoints leave slots for those of others. */
export const MAX_PER_ORGANIZATION = 15;

/**
 * Deliveries to make: one at a time for each endpoint, the longest due. Endpoints that fail come last, then retries: one that hangs delays no
 * other. The lease is longer than an attempt takes.
 */
export const SUBSCRIBER_DELIVERIES: LeasedWork<ClaimedSubscriberDelivery> = {
  table: 'subscriber_delivery',
  order: 'is_failing, is_retry, next_attempt_at, number',
  hold: { by: 'lease', seconds: 30 },
  limit: {
    max: MAX_PER_ORGANIZATION,
    running: countRunning,
    candidates: (now) => Prisma.sql`
      SELECT next.*, page.organization_id AS limit_key, endpoint.failing_since IS NOT NULL AS is_failing
        FROM endpoint_subscriber AS endpoint
        CROSS JOIN LATERAL (SELECT id, number, failures > 0 AS is_retry, next_attempt_at FROM subscriber_delivery
                             WHERE subscriber_id = endpoint.id AND next_attempt_at <= ${now}
                             ORDER BY next_attempt_at, number LIMIT 1) AS next
        JOIN status_page AS page ON page.id = endpoint.page_id
       WHERE endpoint.id IN (SELECT subscriber_id FROM subscriber_delivery WHERE next_attempt_at <= ${now})
         AND endpoint.id NOT IN (SELECT subscriber_id FROM subscriber_delivery WHERE lease_until >= ${now})`,
  },
  columns: {
    id: 'own.id',
    subscriberId: 'subscriber_id',
    eventId: 'event_id',
    kind: 'kind',
    payload: 'payload',
    occurredAt: 'occurred_at',
    attempt: 'attempts',
    failures: 'failures',
    urlSealed: 'url_sealed',
    secretSealed: 'secret_sealed',
    nextSecretSealed: 'next_secret_sealed',
    rotationEndsAt: 'rotation_ends_at',
  },
  joins: Prisma.sql`JOIN endpoint_subscriber AS endpoint ON endpoint.id = subscriber_id`,
  retryAt: nextAttemptAt,
  over: 'deleted',
};

/** Claims at most `limit` due deliveries. What must not be sent anymore is deleted instead. */
export async function claimSubscriberDeliveries(
  { db }: Pick<Services, 'db'>,
  { limit, workerId, now }: { limit: number; workerId: string; now: Date },
): Promise<ClaimedSubscriberDelivery[]> {
  await deleteOutdated(db, now);
  return claimWork(db, SUBSCRIBER_DELIVERIES, { limit, workerId, now, scope: undefined });
}

/** Deletes what is due about pages that are not published or public anymore, and about deleted incidents and windows: the body says more than they show now. */
function deleteOutdated(db: Services['db'], now: Date): Promise<number> {
  return db.$executeRaw`
    DELETE FROM subscriber_delivery WHERE id IN (
      SELECT delivery.id FROM subscriber_delivery AS delivery
        JOIN endpoint_subscriber AS endpoint ON endpoint.id = delivery.subscriber_id
        JOIN status_page AS page ON page.id = endpoint.page_id
       WHERE next_attempt_at <= ${now} AND (lease_until IS NULL OR lease_until < ${now})
         AND (NOT page.published
              OR (page.visibility <> 'public' AND delivery.kind <> ${PRIVATE_KIND})
              OR (delivery.kind LIKE 'incident.%' AND delivery.subject_id IS NOT NULL
                  AND NOT EXISTS (SELECT FROM incident WHERE incident.id = delivery.subject_id))
              OR (delivery.kind IN ('maintenance.planned', 'maintenance.moved', 'maintenance.started')
                  AND delivery.subject_id IS NOT NULL
                  AND NOT EXISTS (SELECT FROM maintenance_window WHERE maintenance_window.id = delivery.subject_id)))
         FOR UPDATE OF delivery SKIP LOCKED)`;
}

/** How many attempts are running, by organization. */
function countRunning(now: Date): Prisma.Sql {
  return Prisma.sql`
    SELECT organization_id AS limit_key, count(*) AS running FROM subscriber_delivery
      JOIN endpoint_subscriber AS endpoint ON endpoint.id = subscriber_id
      JOIN status_page AS page ON page.id = endpoint.page_id
     WHERE lease_until >= ${now} GROUP BY 1`;
}

/** When the next delivery is due that is not waiting for the end of an attempt, of its endpoint or of its organization; null if there is none. */
export function nextSubscriberDeliveryAt(now: Date): Prisma.Sql {
  return Prisma.sql`
    SELECT next_attempt_at FROM subscriber_delivery AS delivery
      JOIN endpoint_subscriber AS endpoint ON endpoint.id = delivery.subscriber_id
      JOIN status_page AS page ON page.id = endpoint.page_id
     WHERE delivery.subscriber_id NOT IN (SELECT subscriber_id FROM subscriber_delivery WHERE lease_until >= ${now})
       AND page.organization_id NOT IN (
           SELECT limit_key FROM (${countRunning(now)}) AS busy WHERE running >= ${MAX_PER_ORGANIZATION})
     ORDER BY next_attempt_at LIMIT 1`;
}

/** Records a success: the delivery is done, and the endpoint works. */
export async function recordDelivered(
  { db }: Pick<Services, 'db'>,
  delivery: ClaimedSubscriberDelivery,
): Promise<void> {
  const { id, subscriberId, attempt } = delivery;
  await db.$transaction(async (tx) => {
    // In the order of a failure and of the end of a subscription: the endpoint first.
    await tx.endpointSubscriber.updateMany({
      where: { id: subscriberId, failingSince: { not: null } },
      data: { failingSince: null, failedDeliveries: 0 },
    });
    await settleClaims(tx, SUBSCRIBER_DELIVERIES, [{ id, attempt, end: { end: 'done' } }]);
  });
  if (delivery.failures > 0) {
    logDelivery('delivered after failures', delivery, { failures: delivery.failures, error: null });
  }
}

function logDelivery(
  message: JournalEntry['message'],
  { id, eventId, kind, subscriberId }: ClaimedSubscriberDelivery,
  { failures, error }: { failures: number; error: string | null },
): void {
  const fields = { delivery: id, event: eventId, kind, subscriber: subscriberId, failures, error };
  writeJournal([{ message, id, as: error ?? 'delivered', fields }]);
}

/**
 * Records a failure: the delivery is retried on the schedule of webhooks, or given up after its last retry. Stops an endpoint that has failed for
 * too long, drops what is pending for it, and emails its owner. A late failure, after another worker took over, changes nothing. `error`: why, for the log.
 */
export async function recordFailed(
  services: Services,
  delivery: ClaimedSubscriberDelivery,
  error: string | null,
): Promise<void> {
  const { id, subscriberId, attempt } = delivery;
  const now = services.clock.now();
  const end = endOfFailure(SUBSCRIBER_DELIVERIES, delivery, now);
  const { failures } = end;
  const isLast = end.end === 'failed';
  await services.db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT id FROM endpoint_subscriber WHERE id = ${subscriberId} FOR UPDATE`;
    const [counted] = await settleClaims(tx, SUBSCRIBER_DELIVERIES, [{ id, attempt, end }]);
    if (counted !== undefined && (failures === 1 || isLast)) {
      const message = isLast ? 'delivery failed' : 'delivery failed; retrying';
      afterCommit(tx, () => logDelivery(message, delivery, { failures, error }));
    }
    const endpoint = await tx.endpointSubscriber.findUnique({ where: { id: subscriberId } });
    if (counted === undefined || endpoint === null || endpoint.stoppedAt !== null) return;
    const failingSince = endpoint.failingSince ?? now;
    const failedDeliveries = endpoint.failedDeliveries + (isLast ? 1 : 0);
    const isOver =
      failedDeliveries >= FAILED_DELIVERIES && now.getTime() - failingSince.getTime() >= FAILING_MS;
    const stoppedAt = isOver ? now : null;
    await tx.endpointSubscriber.update({
      where: { id: subscriberId },
      data: { failingSince, failedDeliveries, stoppedAt },
    });
    if (!isOver) return;
    await tx.subscriberDelivery.deleteMany({ where: { subscriberId } });
    await mailOwner(tx, services, endpoint, 'stopped');
  });
}
