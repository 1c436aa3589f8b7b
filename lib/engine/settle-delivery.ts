import type { Services } from '@/lib/context/services';
import { nextAttemptAt } from '@/lib/webhooks/retry-schedule';
import type { DeliveryOutcome } from '@/lib/webhooks/send-delivery';
import type { ClaimedDelivery } from './claim-deliveries';

type FailureReason = 'exhausted' | 'endpoint_disabled' | 'endpoint_deleted';

/** Writes what came of a try: delivered, to be tried again on schedule, or failed when the schedule is used up. */
export async function settleDelivery(
  services: Services,
  delivery: ClaimedDelivery,
  outcome: DeliveryOutcome,
): Promise<void> {
  const now = services.clock.now();
  const failures = delivery.failures + (outcome.delivered ? 0 : 1);
  const retryAt = outcome.delivered ? null : nextAttemptAt(failures, now);
  const status = outcome.delivered ? 'delivered' : retryAt ? 'pending' : 'failed';
  const reason = status === 'failed' ? 'exhausted' : null;
  await writeEnd(services, delivery, { status, reason, failures, nextAttemptAt: retryAt }, outcome);
}

/** Ends a delivery whose endpoint takes no more: nothing is sent. */
export async function abandonDelivery(
  services: Services,
  delivery: ClaimedDelivery,
  reason: Exclude<FailureReason, 'exhausted'>,
): Promise<void> {
  const error = reason === 'endpoint_deleted' ? 'the endpoint was deleted' : 'the endpoint is disabled';
  const outcome = {
    delivered: false,
    statusCode: null,
    responseHeaders: null,
    responseBody: null,
    error,
    duration: 0,
  };
  const { failures } = delivery;
  await writeEnd(services, delivery, { status: 'failed', reason, failures, nextAttemptAt: null }, outcome);
}

type End = {
  status: 'pending' | 'delivered' | 'failed';
  reason: FailureReason | null;
  failures: number;
  nextAttemptAt: Date | null;
};

/** The delivery is written only while this try is its newest: a late answer after a lease ran out changes nothing. */
async function writeEnd(
  { db, clock }: Services,
  delivery: ClaimedDelivery,
  end: End,
  outcome: DeliveryOutcome,
): Promise<void> {
  const now = clock.now();
  const { delivered, responseHeaders, ...answer } = outcome;
  await db.$transaction([
    db.deliveryAttempt.update({
      where: { id: delivery.attemptId },
      data: { ...answer, finishedAt: now, ...(responseHeaders ? { responseHeaders } : {}) },
    }),
    db.delivery.updateMany({
      where: { id: delivery.id, attempts: delivery.attempt, status: 'pending' },
      data: { ...end, claimedBy: null, leaseUntil: null, settledAt: end.status === 'pending' ? null : now },
    }),
  ]);
}
