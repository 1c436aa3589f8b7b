import { createId } from '@/lib/core/ids';
import type { Services } from '@/lib/domain/context/services';
import type { SealedSecrets } from '@/lib/domain/webhooks/sign';
import type { DeliveryKind, DeliveryStatus } from '@/lib/schemas/webhooks/delivery';
import { type Candidate, isFree, isManual, isScheduled } from './find-deliveries';

/** An attempt that only this process may make, recorded before the request is sent. */
export type ClaimedDelivery = {
  id: string;
  /** Counts up: a later delivery of the same message has a higher one. */
  number: bigint;
  /** The message of its endpoint that it belongs to; null: none. */
  messageKey: string | null;
  messageStatus: string | null;
  attemptId: string;
  /** 1 for the first attempt; also the number of its attempt row. */
  attempt: number;
  /** A replay or a test, outside the schedule. */
  manual: boolean;
  status: DeliveryStatus;
  failures: number;
  endpointId: string;
  organizationId: string;
  eventId: string;
  kind: DeliveryKind;
  /** The body to send, without credentials. */
  payload: string;
  /** The payload of the event, in our own format. */
  event: string;
  /** Its body is rendered when it is sent, in the format `format`. */
  rendersBody: boolean;
  occurredAt: Date;
  /** Null: the endpoint was deleted. */
  endpoint: ClaimedEndpoint | null;
};

export type ClaimedEndpoint = SealedSecrets & {
  url: string;
  enabled: boolean;
  format: string;
  credentialsSealed: Uint8Array | null;
  headersSealed: Uint8Array | null;
  template: string | null;
};

type Row = Omit<ClaimedDelivery, 'endpoint' | 'payload' | 'rendersBody'> & {
  body: string | null;
  bodyFormat: string | null;
  headersSealed: Uint8Array | null;
  template: string | null;
  url: string | null;
  enabled: boolean | null;
  format: string | null;
  credentialsSealed: Uint8Array | null;
  secretSealed: Uint8Array | null;
  nextSecretSealed: Uint8Array | null;
  rotationEndsAt: Date | null;
};

/** An attempt ends within 30 s; a lease that outlives it belongs to a crashed worker. */
export const LEASE_SECONDS = 40;
/** Recorded for an attempt whose worker crashed: the request may or may not have been sent. */
const CUT_SHORT = 'interrupted: the worker stopped before a response was recorded';

/**
 * Claims the candidates that are still due and free, and writes an attempt row for each: the attempts start
 * now. Omits those that another worker claimed meanwhile. The endpoint is read here, in its state at the time
 * of the request.
 */
export async function claimDeliveries(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  {
    candidates,
    workerId,
    attemptIds = createAttemptIds(candidates),
  }: { candidates: Pick<Candidate, 'id' | 'manual'>[]; workerId: string; attemptIds?: string[] },
): Promise<ClaimedDelivery[]> {
  if (candidates.length === 0) return [];
  const now = clock.now();
  const ids = candidates.map(({ id }) => id);
  const manual = candidates.map((candidate) => candidate.manual);
  const rows = await db.$queryRaw<Row[]>`
    WITH due AS (
      SELECT delivery.id, wanted.manual, wanted.attempt_id, wanted.place, delivery.attempts > 0 AS is_again
        FROM unnest(${ids}::text[], ${manual}::boolean[], ${attemptIds}::text[])
             WITH ORDINALITY AS wanted (id, manual, attempt_id, place)
        JOIN delivery ON delivery.id = wanted.id
       WHERE ${isFree(now)} AND CASE WHEN wanted.manual THEN ${isManual(now)} ELSE ${isScheduled(now)} END
         FOR UPDATE OF delivery SKIP LOCKED
    ), claimed AS (
      UPDATE delivery SET attempts = attempts + 1, claimed_by = ${workerId},
             lease_until = ${now}::timestamptz + make_interval(secs => ${LEASE_SECONDS}::int)
        FROM due WHERE delivery.id = due.id
      RETURNING delivery.*, due.manual, due.attempt_id, due.place
    ), cut_short AS (
      UPDATE delivery_attempt SET finished_at = ${now}, error = ${CUT_SHORT}
       WHERE delivery_id = ANY(ARRAY(SELECT id FROM due WHERE is_again)) AND finished_at IS NULL
    ), started AS (
      INSERT INTO delivery_attempt (id, delivery_id, number, manual, started_at)
      SELECT attempt_id, id, attempts, manual, ${now} FROM claimed
    )
    SELECT claimed.id, claimed.number, claimed.message_key AS "messageKey", claimed.message_status AS "messageStatus",
           claimed.attempt_id AS "attemptId", claimed.attempts AS attempt, claimed.manual,
           claimed.status::text AS status, claimed.failures, claimed.endpoint_id AS "endpointId",
           claimed.organization_id AS "organizationId", event.id AS "eventId", event.kind, claimed.body,
           claimed.format AS "bodyFormat", endpoint.headers_sealed AS "headersSealed", endpoint.template,
           event.payload AS event, event.occurred_at AS "occurredAt",
           endpoint.url, endpoint.enabled, endpoint.format::text AS format,
           endpoint.credentials_sealed AS "credentialsSealed", endpoint.secret_sealed AS "secretSealed",
           endpoint.next_secret_sealed AS "nextSecretSealed", endpoint.rotation_ends_at AS "rotationEndsAt"
      FROM claimed
      JOIN outbox_event AS event ON event.id = claimed.event_id
      LEFT JOIN webhook_endpoint AS endpoint ON endpoint.id = claimed.endpoint_id
     ORDER BY claimed.place`;
  return rows.map(toClaimed);
}

/** Creates attempt ids, for callers that may have to release claims whose response was lost. */
export function createAttemptIds(candidates: unknown[]): string[] {
  return candidates.map(() => createId('attempt'));
}

function toClaimed(row: Row): ClaimedDelivery {
  const { body, bodyFormat, url, enabled, format, template, ...others } = row;
  const { secretSealed, credentialsSealed, headersSealed, nextSecretSealed, rotationEndsAt, ...claimed } =
    others;
  const exists = url !== null && enabled !== null && format !== null && secretSealed !== null;
  const sealed = { credentialsSealed, headersSealed, nextSecretSealed, rotationEndsAt };
  return {
    ...claimed,
    payload: body ?? row.event,
    rendersBody: body === null && bodyFormat !== null,
    endpoint: exists ? { url, enabled, format, template, secretSealed, ...sealed } : null,
  };
}
