import type { Services } from '@/lib/context/services';
import { Prisma } from '@/lib/db/generated/client';
import type { DeliveryStatus, FailureReason } from '@/lib/schemas/delivery';
import { noteFailure, noteSuccess, tellOfDisabled } from '@/lib/webhooks/endpoint-health';
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
  const isLast = end?.status === 'failed';
  const failure = outcome.delivered || delivery.manual ? null : noteFailure(endpointId, { isLast, now });
  const health = outcome.delivered ? noteSuccess(endpointId) : failure;
  const told = failure && services.mail.isOn ? tellOfDisabled() : null;
  await writeEnd(services, delivery, { end, outcome, health, told });
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
    request: null,
    statusCode: null,
    responseHeaders: null,
    responseBody: null,
    error,
    duration: 0,
  };
  const end = failed(delivery, reason, services.clock.now());
  await writeEnd(services, delivery, { end, outcome, health: null, told: null });
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
 * Writes the try, its delivery and what it says of the endpoint in one statement, for that is what a burst of deliveries
 * waits for. The delivery is written only while this try is its newest: a late answer after a lease ran out changes
 * nothing.
 */
async function writeEnd(
  { db, clock }: Services,
  delivery: ClaimedDelivery,
  {
    end,
    outcome,
    health,
    told,
  }: { end: End; outcome: DeliveryOutcome; health: Prisma.Sql | null; told: Prisma.Sql | null },
): Promise<void> {
  const now = clock.now();
  const { request } = outcome;
  const headers = outcome.responseHeaders && JSON.stringify(outcome.responseHeaders);
  await db.$executeRaw`
    WITH tried AS (
      UPDATE delivery_attempt SET finished_at = ${now}, duration = ${outcome.duration}, error = ${outcome.error},
             url = ${request?.url ?? null}, request_headers = ${request && JSON.stringify(request.headers)}::jsonb,
             status_code = ${outcome.statusCode}, response_headers = ${headers}::jsonb,
             response_body = ${outcome.responseBody}
       WHERE id = ${delivery.attemptId}
    ) ${health ? Prisma.sql`, noted AS (${health})` : Prisma.empty} ${told ? Prisma.sql`, told AS (${told})` : Prisma.empty}
    UPDATE delivery SET ${end ? endColumns(end, now) : Prisma.empty}
           manual_attempt_at = CASE WHEN ${delivery.manual} THEN NULL ELSE manual_attempt_at END,
           claimed_by = NULL, lease_until = NULL
     WHERE id = ${delivery.id} AND attempts = ${delivery.attempt}`;
}

function endColumns(
  { status, reason, failures, nextAttemptAt: at }: NonNullable<End>,
  now: Date,
): Prisma.Sql {
  return Prisma.sql`status = ${status}::delivery_status, reason = ${reason}, failures = ${failures},
    next_attempt_at = ${at}, settled_at = ${status === 'pending' ? null : now},`;
}
