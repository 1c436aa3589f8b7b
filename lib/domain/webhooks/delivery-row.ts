import { Prisma, type Delivery as Row } from '@/lib/platform/db/generated/client';
import {
  DELIVERY_KINDS,
  type Delivery,
  FAILURE_REASONS,
  SUBJECT_TYPES,
} from '@/lib/schemas/webhooks/delivery';
import { nextScheduledAttempt } from './retry-schedule';

/** The columns of a `DeliveryRow`, read from `delivery` and `DELIVERY_JOINS`. */
export const DELIVERY_COLUMNS = Prisma.sql`
  delivery.id, delivery.number, event.kind, delivery.endpoint_id AS "endpointId",
  delivery.status::text AS status, delivery.reason, delivery.attempts, delivery.failures,
  delivery.next_attempt_at AS "nextAttemptAt", delivery.manual_attempt_at AS "manualAttemptAt",
  delivery.created_at AS "createdAt", delivery.settled_at AS "settledAt",
  last.started_at AS "lastAttemptAt", last.status_code AS "lastStatusCode", last.error AS "lastError",
  subject.type AS "subjectType", subject.id AS "subjectId", subject.name AS "subjectName",
  NOT EXISTS (SELECT FROM monitor
               WHERE monitor.id = subject.id AND monitor.organization_id = delivery.organization_id)
    AND NOT EXISTS (SELECT FROM incident
                     WHERE incident.id = subject.id AND incident.organization_id = delivery.organization_id)
    AS "isSubjectDeleted"`;

/** The event of a delivery, what it is about, and the latest attempt. The payload of a test has no subject. */
export const DELIVERY_JOINS = Prisma.sql`
  JOIN outbox_event AS event ON event.id = delivery.event_id
  LEFT JOIN delivery_attempt AS last ON last.delivery_id = delivery.id AND last.number = delivery.attempts
  LEFT JOIN LATERAL (
    SELECT type, content ->> 'id' AS id, coalesce(content ->> 'name', content ->> 'title') AS name
      FROM (SELECT type, event.payload::json -> type AS content FROM split_part(event.kind, '.', 1) AS type
             WHERE type = ANY(${[...SUBJECT_TYPES]}::text[])) AS payload
  ) AS subject ON TRUE`;

/** A delivery with the kind and subject of its event and its latest attempt. */
export type DeliveryRow = Omit<Row, 'organizationId' | 'eventId' | 'body' | 'claimedBy' | 'leaseUntil'> & {
  kind: string;
  lastAttemptAt: Date | null;
  lastStatusCode: number | null;
  lastError: string | null;
  subjectType: string | null;
  subjectId: string | null;
  subjectName: string | null;
  isSubjectDeleted: boolean;
};

/** The delivery as the API lists it. */
export function serializeDelivery(row: DeliveryRow): Delivery {
  const event = DELIVERY_KINDS.find((kind) => kind === row.kind);
  if (!event) throw new Error(`unknown delivery kind ${row.kind}`);
  const hasSchedule = row.status === 'pending' && event !== 'webhook.test';
  return {
    id: row.id,
    event,
    subject: subjectOf(row),
    webhookId: row.endpointId,
    status: row.status,
    reason: FAILURE_REASONS.find((reason) => reason === row.reason) ?? null,
    attempts: row.attempts,
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    nextAttempt: hasSchedule ? nextScheduledAttempt(row.failures) : null,
    manualAttemptAt: row.manualAttemptAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    settledAt: row.settledAt?.toISOString() ?? null,
    lastAttemptAt: row.lastAttemptAt?.toISOString() ?? null,
    lastStatusCode: row.lastStatusCode,
    lastError: row.lastError,
  };
}

function subjectOf({ subjectType, subjectId, subjectName, isSubjectDeleted }: DeliveryRow) {
  const type = SUBJECT_TYPES.find((each) => each === subjectType);
  if (!type || subjectId === null) return null;
  return { type, id: subjectId, name: subjectName ?? '', deleted: isSubjectDeleted };
}
