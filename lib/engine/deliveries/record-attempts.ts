import type { Logger } from '@/lib/core/logger';
import { storableJson } from '@/lib/core/storable-text';
import type { Services } from '@/lib/domain/context/services';
import {
  type EndpointAttempt,
  failPendingOfDisabled,
  insertDisabledNotices,
  recordAttempts,
  stillAccepts,
} from '@/lib/domain/webhooks/endpoint-health';
import { nextAttemptAt } from '@/lib/domain/webhooks/retry-schedule';
import {
  type DeliveryOutcome,
  errorOf,
  isDelivered,
  statusCodeOf,
} from '@/lib/domain/webhooks/send-delivery';
import { createBatchRecorder, type RecordingObserver } from '@/lib/engine/runtime/batch-recorder';
import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { FailureReason } from '@/lib/schemas/webhooks/delivery';
import type { ClaimedDelivery } from './claim-deliveries';
import { type MessageRecord, recordMessages } from './messages/record-messages';

/** The new state of a delivery: over, or due again. */
type DeliveryEnd =
  | { status: 'delivered'; failures: number }
  | { status: 'failed'; failures: number; reason: FailureReason }
  | { status: 'pending'; failures: number; nextAttemptAt: Date };

/** An attempt that ended at `at`, and what it changes; `end` is null if the delivery stays as it is. */
export type FinishedAttempt = {
  delivery: ClaimedDelivery;
  at: Date;
  end: DeliveryEnd | null;
  /** The database refused what the receiver sent: it is not stored. */
  isContentRefused?: true;
} & (
  | {
      kind: 'made';
      sentAt: Date;
      outcome: DeliveryOutcome;
      /** What it says of its endpoint; null: nothing. */
      noted: EndpointAttempt['result'] | null;
      /** The message that it had leased; null: none. */
      message: MessageRecord | null;
    }
  /** The endpoint no longer accepts any: nothing was sent. */
  | { kind: 'abandoned'; outcome: Extract<DeliveryOutcome, { kind: 'unsent' }> }
);

type MadeAttempt = Extract<FinishedAttempt, { kind: 'made' }>;

/**
 * The outcome of an attempt at `at`: delivered, to be retried on schedule, or failed when the schedule is
 * exhausted. A failed replay or test is recorded, but changes neither delivery nor endpoint.
 */
export function finishAttempt(
  delivery: ClaimedDelivery,
  outcome: DeliveryOutcome,
  { sentAt, at }: { sentAt: Date; at: Date },
): MadeAttempt {
  const common = { kind: 'made' as const, delivery, outcome, message: null, sentAt, at };
  // Without a request, nothing is known about the endpoint.
  if (outcome.kind === 'skipped') return { ...common, end: delivered(delivery), noted: null };
  if (outcome.kind === 'delivered') return { ...common, end: delivered(delivery), noted: 'success' };
  const end = failed(delivery, 'exhausted', at);
  const failure = end?.status === 'failed' ? 'last failure' : 'failure';
  return { ...common, end, noted: delivery.manual ? 'failed replay' : failure };
}

/** Ends a delivery whose endpoint no longer accepts any. */
export function abandonDelivery(
  delivery: ClaimedDelivery,
  reason: Exclude<FailureReason, 'exhausted'>,
  at: Date,
): FinishedAttempt {
  const error = reason === 'endpoint_deleted' ? 'the endpoint was deleted' : 'the endpoint is disabled';
  const outcome = { kind: 'unsent' as const, error };
  return { kind: 'abandoned', delivery, outcome, end: failed(delivery, reason, at), at };
}

function delivered({ status, failures }: ClaimedDelivery): DeliveryEnd | null {
  return status === 'delivered' ? null : { status: 'delivered', failures };
}

/** A test has no schedule: its only attempt decides. */
function failed(delivery: ClaimedDelivery, reason: FailureReason, now: Date): DeliveryEnd | null {
  const { status, kind, manual } = delivery;
  if (manual && (status !== 'pending' || kind !== 'webhook.test')) return null;
  const failures = delivery.failures + (reason === 'exhausted' ? 1 : 0);
  const nextAt = manual || reason !== 'exhausted' ? null : nextAttemptAt(failures, now);
  return nextAt
    ? { status: 'pending', failures, nextAttemptAt: nextAt }
    : { status: 'failed', failures, reason };
}

/** A worker makes at most 600 attempts concurrently. */
const MAX_PENDING = { count: 10_000, bytes: 64 * 1024 * 1024 };
/** Approximate memory of an attempt, without texts. */
const ATTEMPT_BYTES = 2000;

/** Records attempts in batches: a statement and its commit cost about the same for one and for twenty. */
export function createAttemptRecorder(
  services: Pick<Services, 'db' | 'mail'>,
  log: Logger,
  observer?: RecordingObserver<FinishedAttempt>,
) {
  return createBatchRecorder<FinishedAttempt>({
    kind: 'delivery attempts',
    write: (finished) => writeAttempts(services, finished),
    replaceRefused: (finished) => ({ ...finished, isContentRefused: true }),
    subjectOf: ({ delivery }) => ({ delivery: delivery.id, endpoint: delivery.endpointId }),
    sizeOf: ({ delivery, outcome }) =>
      ATTEMPT_BYTES +
      2 * (delivery.payload.length + ('response' in outcome ? outcome.response.body.length : 0)),
    // Few enough that the organizations of a batch fit into one notification.
    maxBatch: 200,
    gatherMs: 10,
    maxPending: MAX_PENDING,
    observer,
    log,
  });
}

/**
 * Writes attempts, their deliveries and the health of their endpoints in a single statement. A delivery is
 * only written if this attempt is its latest: a late response after the lease expired changes nothing. If the
 * endpoint was deleted or disabled, the next attempt is due immediately, to record the end. Notifies live
 * views of the organizations.
 */
export async function writeAttempts(
  { db, mail }: { db: Pick<Database, '$executeRaw'> } & Pick<Services, 'mail'>,
  finished: FinishedAttempt[],
): Promise<void> {
  if (finished.length === 0) return;
  const ids = finished.map(({ delivery }) => delivery.id);
  const attemptIds = finished.map(({ delivery }) => delivery.attemptId);
  const made = finished.filter((attempt) => attempt.kind === 'made');
  const notes = made.flatMap(({ delivery: { endpointId }, noted, at }) =>
    noted === null ? [] : [{ endpointId, result: noted, at }],
  );
  const noting =
    notes.length === 0
      ? Prisma.empty
      : Prisma.sql`, ${recordAttempts(notes)}, ${failPendingOfDisabled(ids)}
          , notified AS (${insertDisabledNotices(mail)})`;
  const messages = made.flatMap(({ message }) => (message === null ? [] : [message]));
  const showing =
    messages.length === 0 ? Prisma.empty : Prisma.sql`, ${recordMessages(messages, notes.length > 0)}`;
  const accepts = notes.length === 0 ? Prisma.sql`FALSE` : stillAccepts(Prisma.sql`delivery.endpoint_id`);
  // The explicit ids make the planner use the primary keys.
  await db.$executeRaw`
    WITH settled AS (
      SELECT * FROM jsonb_to_recordset(${storableJson(finished.map(toRow))}::jsonb) AS settled (
             id text, "attemptId" text, attempt int, manual boolean, "sentAt" timestamptz, at timestamptz,
             duration int, error text, method text, url text, "requestHeaders" jsonb, "statusCode" int, headers jsonb,
             body text, "renderedBody" text, ends boolean, status delivery_status, reason text,
             failures int, "nextAttemptAt" timestamptz)
    ), attempted AS (
      UPDATE delivery_attempt AS attempt SET started_at = coalesce("sentAt", started_at), finished_at = settled.at,
             duration = settled.duration, error = settled.error, url = settled.url, request_method = settled.method,
             request_headers = "requestHeaders", status_code = "statusCode", response_headers = settled.headers,
             response_body = settled.body
        FROM settled WHERE attempt.id = ANY(${attemptIds}::text[]) AND attempt.id = "attemptId"
    )${noting}${showing}, written AS (
      UPDATE delivery SET
             status = CASE WHEN ends THEN settled.status ELSE delivery.status END,
             reason = CASE WHEN ends THEN settled.reason ELSE delivery.reason END,
             failures = CASE WHEN ends THEN settled.failures ELSE delivery.failures END,
             next_attempt_at = CASE WHEN (CASE WHEN ends THEN settled.status ELSE delivery.status END) <> 'pending'
                                    THEN NULL
                                    WHEN NOT ${accepts} THEN settled.at
                                    WHEN ends THEN "nextAttemptAt" ELSE next_attempt_at END,
             settled_at = CASE WHEN NOT ends THEN settled_at WHEN settled.status <> 'pending' THEN settled.at END,
             body = coalesce(delivery.body, "renderedBody"),
             manual_attempt_at = CASE WHEN NOT settled.manual THEN manual_attempt_at END,
             claimed_by = NULL, lease_until = NULL
        FROM settled
       WHERE delivery.id = ANY(${ids}::text[]) AND delivery.id = settled.id AND delivery.attempts = settled.attempt
      RETURNING organization_id
    )
    SELECT pg_notify('pharos_live', 'deliveries ' || string_agg(DISTINCT organization_id, ','))
      FROM written HAVING count(*) > 0`;
}

function toRow(finished: FinishedAttempt) {
  const { delivery, outcome, end, at } = finished;
  const { id, attemptId, attempt, manual } = delivery;
  return {
    id,
    attemptId,
    attempt,
    manual,
    at,
    sentAt: finished.kind === 'made' ? finished.sentAt : null,
    ...(finished.isContentRefused ? withoutContent(outcome) : toContent(outcome)),
    ends: end !== null,
    status: end?.status,
    failures: end?.failures,
    reason: end?.status === 'failed' ? end.reason : null,
    nextAttemptAt: end?.status === 'pending' ? end.nextAttemptAt : null,
  };
}

function toContent(outcome: DeliveryOutcome) {
  const error = errorOf(outcome);
  if (outcome.kind === 'skipped' || outcome.kind === 'unsent')
    return { error, duration: 0, renderedBody: undefined };
  const { request, duration, renderedBody } = outcome;
  const response = 'response' in outcome ? outcome.response : null;
  return {
    error,
    duration,
    renderedBody,
    method: request.method === 'POST' ? null : request.method,
    url: request.url,
    requestHeaders: request.headers,
    statusCode: statusCodeOf(outcome),
    headers: response?.headers,
    body: response?.body,
  };
}

/** The outcome, without what the receiver sent. */
function withoutContent(outcome: DeliveryOutcome) {
  const { duration, renderedBody } = toContent(outcome);
  const error = isDelivered(outcome) ? null : 'not delivered; the response could not be stored';
  return { error, duration, renderedBody };
}
