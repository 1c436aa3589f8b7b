import { Prisma } from '@/lib/platform/db/generated/client';

/** The columns of a `DeliveryRow`, read from `delivery` and `DELIVERY_JOINS`. */
export const DELIVERY_COLUMNS = Prisma.sql`
  delivery.id, delivery.number, event.kind, delivery.endpoint_id AS "endpointId",
  delivery.status::text AS status, delivery.reason, delivery.attempts,
  delivery.next_attempt_at AS "nextAttemptAt", delivery.manual_attempt_at AS "manualAttemptAt",
  delivery.created_at AS "createdAt", delivery.settled_at AS "settledAt",
  last.started_at AS "lastAttemptAt", last.status_code AS "lastStatusCode", last.error AS "lastError"`;

/** The event of a delivery, and its newest try. */
export const DELIVERY_JOINS = Prisma.sql`
  JOIN outbox_event AS event ON event.id = delivery.event_id
  LEFT JOIN delivery_attempt AS last ON last.delivery_id = delivery.id AND last.number = delivery.attempts`;
