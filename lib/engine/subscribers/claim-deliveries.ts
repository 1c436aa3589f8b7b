import { type JournalEntry, writeJournal } from '@/lib/core/journal/journal';
import type { Services } from '@/lib/domain/context/services';
import { mailOwner } from '@/lib/domain/subscribers/endpoints/endpoint-mails';
import { PRIVATE_KIND } from '@/lib/domain/subscribers/endpoints/page-events';
import { nextAttemptAt } from '@/lib/domain/webhooks/retry-schedule';
import type { SealedSecrets } from '@/lib/domain/webhooks/sign';
import { afterCommit } from '@/lib/platform/db/after-commit';
import { Prisma } from '@/lib/platform/db/generated/client';

/** Longer than an attempt takes. */
const LEASE_SECONDS = 30;
/** An endpoint is stopped after attempts have failed for this long and this many deliveries have failed for good, as webhooks of organizations are. */
const FAILING_MS = 5 * 86_400_000;
const FAILED_DELIVERIES = 3;

/** An attempt that only this process may make. */
export type ClaimedDelivery = Omit<SealedSecrets, 'secretSealed'> & {
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
 * Claims at most `limit` due deliveries: one for each endpoint, the longest due, and at most 15 at a time for an organization. Endpoints that fail
 * come last, then retries: one that hangs delays no other. What must not be sent anymore is deleted instead.
 */
export async function claimSubscriberDeliveries(
  { db }: Pick<Services, 'db'>,
  { limit, workerId, now }: { limit: number; workerId: string; now: Date },
): Promise<ClaimedDelivery[]> {
  await deleteOutdated(db, now);
  return db.$queryRaw<ClaimedDelivery[]>`
    WITH ${attemptsOf(now)}, due AS (
      SELECT id FROM (
        SELECT next.*, endpoint.failing_since IS NOT NULL AS is_failing, coalesce(busy.running, 0)
                 + row_number() OVER (PARTITION BY page.organization_id
                                      ORDER BY endpoint.failing_since IS NOT NULL, failures > 0, next_attempt_at, next.number) AS place
          FROM endpoint_subscriber AS endpoint
          CROSS JOIN LATERAL (SELECT id, subscriber_id, number, failures, next_attempt_at FROM subscriber_delivery
                               WHERE subscriber_id = endpoint.id AND next_attempt_at <= ${now}
                               ORDER BY next_attempt_at, number LIMIT 1) AS next
          JOIN status_page AS page ON page.id = endpoint.page_id
          LEFT JOIN busy USING (organization_id)
         WHERE endpoint.id IN (SELECT subscriber_id FROM subscriber_delivery WHERE next_attempt_at <= ${now})
           AND endpoint.id NOT IN (SELECT subscriber_id FROM running)) AS ranked
       WHERE place <= ${MAX_PER_ORGANIZATION}
       ORDER BY is_failing, failures > 0, next_attempt_at, number LIMIT ${limit}
    ), locked AS (
      SELECT id FROM subscriber_delivery AS delivery
       WHERE id IN (SELECT id FROM due) AND next_attempt_at <= ${now} AND (lease_until IS NULL OR lease_until < ${now})
         FOR UPDATE SKIP LOCKED
    )
    UPDATE subscriber_delivery AS delivery SET attempts = attempts + 1, claimed_by = ${workerId},
           lease_until = ${now}::timestamptz + make_interval(secs => ${LEASE_SECONDS}::int)
      FROM locked, endpoint_subscriber AS endpoint
     WHERE delivery.id = locked.id AND endpoint.id = delivery.subscriber_id
    RETURNING delivery.id, subscriber_id AS "subscriberId", event_id AS "eventId", kind, payload, occurred_at AS "occurredAt",
              attempts AS attempt, failures, url_sealed AS "urlSealed", secret_sealed AS "secretSealed",
              next_secret_sealed AS "nextSecretSealed", rotation_ends_at AS "rotationEndsAt"`;
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
              OR (delivery.kind IN ('maintenance.planned', 'maintenance.moved', 'maintenance.started') AND delivery.subject_id IS NOT NULL
                  AND NOT EXISTS (SELECT FROM maintenance_window WHERE maintenance_window.id = delivery.subject_id)))
         FOR UPDATE OF delivery SKIP LOCKED)`;
}

/** The part of a WITH clause with the attempts that are running, by endpoint and counted by organization. */
function attemptsOf(now: Date): Prisma.Sql {
  return Prisma.sql`
    running AS (SELECT subscriber_id FROM subscriber_delivery WHERE lease_until >= ${now}),
    busy AS (SELECT organization_id, count(*) AS running FROM running
               JOIN endpoint_subscriber AS endpoint ON endpoint.id = subscriber_id
               JOIN status_page AS page ON page.id = endpoint.page_id GROUP BY 1)`;
}

/** When the next delivery is due that is not waiting for the end of an attempt, of its endpoint or of its organization; null if there is none. */
export async function nextSubscriberDeliveryAt({
  db,
  clock,
}: Pick<Services, 'db' | 'clock'>): Promise<Date | null> {
  const rows = await db.$queryRaw<{ dueAt: Date }[]>`
    WITH ${attemptsOf(clock.now())}
    SELECT next_attempt_at AS "dueAt" FROM subscriber_delivery AS delivery
      JOIN endpoint_subscriber AS endpoint ON endpoint.id = delivery.subscriber_id
      JOIN status_page AS page ON page.id = endpoint.page_id
     WHERE delivery.subscriber_id NOT IN (SELECT subscriber_id FROM running)
       AND page.organization_id NOT IN (SELECT organization_id FROM busy WHERE running >= ${MAX_PER_ORGANIZATION})
     ORDER BY next_attempt_at LIMIT 1`;
  return rows[0]?.dueAt ?? null;
}

/** Records a success: the delivery is done, and the endpoint works. */
export async function recordDelivered(
  { db }: Pick<Services, 'db'>,
  delivery: ClaimedDelivery,
): Promise<void> {
  const { id, subscriberId } = delivery;
  // In the order of a failure and of the end of a subscription: the endpoint first.
  await db.$transaction([
    db.endpointSubscriber.updateMany({
      where: { id: subscriberId, failingSince: { not: null } },
      data: { failingSince: null, failedDeliveries: 0 },
    }),
    db.subscriberDelivery.deleteMany({ where: { id } }),
  ]);
  if (delivery.failures > 0) {
    logDelivery('delivered after failures', delivery, { failures: delivery.failures, error: null });
  }
}

function logDelivery(
  message: JournalEntry['message'],
  { id, eventId, kind, subscriberId }: ClaimedDelivery,
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
  delivery: ClaimedDelivery,
  error: string | null,
): Promise<void> {
  const { id, subscriberId, attempt } = delivery;
  const now = services.clock.now();
  const failures = delivery.failures + 1;
  const retryAt = nextAttemptAt(failures, now);
  await services.db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT id FROM endpoint_subscriber WHERE id = ${subscriberId} FOR UPDATE`;
    const where = { id, attempts: attempt };
    const { count } = retryAt
      ? await tx.subscriberDelivery.updateMany({
          where,
          data: { failures, nextAttemptAt: retryAt, claimedBy: null, leaseUntil: null },
        })
      : await tx.subscriberDelivery.deleteMany({ where });
    if (count > 0 && (failures === 1 || retryAt === null)) {
      const message = retryAt ? 'delivery failed; retrying' : 'delivery failed';
      afterCommit(tx, () => logDelivery(message, delivery, { failures, error }));
    }
    const endpoint = await tx.endpointSubscriber.findUnique({ where: { id: subscriberId } });
    if (count === 0 || endpoint === null || endpoint.stoppedAt !== null) return;
    const failingSince = endpoint.failingSince ?? now;
    const failedDeliveries = endpoint.failedDeliveries + (retryAt ? 0 : 1);
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
