import type { Services } from '@/lib/context/services';
import type { DeliveryStatus, FailureReason } from '@/lib/schemas/delivery';
import { noteFailure, noteSuccess } from '@/lib/webhooks/endpoint-health';
import { nextAttemptAt } from '@/lib/webhooks/retry-schedule';
import type { DeliveryOutcome } from '@/lib/webhooks/send-delivery';
import type { ClaimedDelivery } from './claim-deliveries';

/** What becomes of a delivery; `null` leaves it as it is. */
type End = {
  status: DeliveryStatus;
  reason: FailureReason | null;
  failures: number;
  nextAttemptAt: Date | null;
} | null;

/**
 * Writes what came of a try: delivered, to be tried again on schedule, or failed when the schedule is used up. A replay or
 * a test counts for the better only: its failure is recorded, and leaves delivery and endpoint as they are.
 */
export async function settleDelivery(
  services: Services,
  delivery: ClaimedDelivery,
  outcome: DeliveryOutcome,
): Promise<void> {
  const now = services.clock.now();
  const { endpointId } = delivery;
  const end = outcome.delivered ? delivered(delivery) : failed(delivery, 'exhausted', now);
  const health = () => {
    if (outcome.delivered) return [noteSuccess(services.db, endpointId)];
    if (delivery.manual) return [];
    return [noteFailure(services.db, { endpointId, isLast: end?.status === 'failed', now })];
  };
  await writeEnd(services, delivery, end, outcome, health());
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
  await writeEnd(services, delivery, failed(delivery, reason, services.clock.now()), outcome, []);
}

function delivered({ status, failures }: ClaimedDelivery): End {
  if (status === 'delivered') return null;
  return { status: 'delivered', reason: null, failures, nextAttemptAt: null };
}

/** A test has no schedule to go on with: its one try decides. */
function failed(delivery: ClaimedDelivery, reason: FailureReason, now: Date): End {
  const { status, kind, manual } = delivery;
  if (manual && (status !== 'pending' || kind !== 'webhook.test')) return null;
  const failures = delivery.failures + (reason === 'exhausted' ? 1 : 0);
  const retryAt = manual || reason !== 'exhausted' ? null : nextAttemptAt(failures, now);
  return retryAt
    ? { status: 'pending', reason: null, failures, nextAttemptAt: retryAt }
    : { status: 'failed', reason, failures, nextAttemptAt: null };
}

/**
 * The delivery is written only while this try is its newest: a late answer after a lease ran out changes nothing. The
 * endpoint comes first, in the order in which people's verbs lock.
 */
async function writeEnd(
  { db, clock }: Services,
  delivery: ClaimedDelivery,
  end: End,
  outcome: DeliveryOutcome,
  health: ReturnType<typeof noteSuccess>[],
): Promise<void> {
  const now = clock.now();
  const { delivered: isDelivered, responseHeaders, ...answer } = outcome;
  await db.$transaction([
    ...health,
    db.deliveryAttempt.update({
      where: { id: delivery.attemptId },
      data: { ...answer, finishedAt: now, ...(responseHeaders ? { responseHeaders } : {}) },
    }),
    db.delivery.updateMany({
      where: { id: delivery.id, attempts: delivery.attempt },
      data: {
        ...(end ? { ...end, settledAt: end.status === 'pending' ? null : now } : {}),
        ...(delivery.manual ? { manualAttemptAt: null } : {}),
        claimedBy: null,
        leaseUntil: null,
      },
    }),
  ]);
}
