import type { Services } from '@/lib/context/services';
import { createId } from '@/lib/core/ids';
import type { Transaction } from '@/lib/db/client';
import { notify } from '@/lib/db/notify';
import type { EventPayload } from '@/lib/schemas/events';
import { renderBody } from './formats/render-body';

/** Something that happened in an organization, to be told to its webhook endpoints. */
export type NewEvent = { organizationId: string; occurredAt: Date; payload: EventPayload };

/**
 * Writes events and one delivery per subscribed endpoint into the transaction in which they happened: they are sent if
 * and only if it commits. Events that nobody subscribed to leave no rows. For an endpoint that was disabled because it
 * failed too long the delivery is written as failed: what it misses can be recovered. What is sent is fixed here, to the
 * byte: a later change of the endpoint's format changes nothing that waits.
 */
export async function emitEvents(
  tx: Transaction,
  { appUrl }: Pick<Services, 'appUrl'>,
  events: NewEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const endpoints = await tx.webhookEndpoint.findMany({
    where: {
      organizationId: { in: [...new Set(events.map((event) => event.organizationId))] },
      OR: [{ enabled: true }, { autoDisabledAt: { not: null } }],
    },
    select: { id: true, organizationId: true, events: true, format: true, enabled: true },
  });
  const told = events
    .map((event) => ({
      id: createId('event'),
      ...event,
      endpoints: endpoints.filter(
        (endpoint) =>
          endpoint.organizationId === event.organizationId && endpoint.events.includes(event.payload.event),
      ),
    }))
    .filter((event) => event.endpoints.length > 0);
  if (told.length === 0) return;

  await tx.outboxEvent.createMany({
    data: told.map(({ id, organizationId, occurredAt, payload }) => ({
      id,
      organizationId,
      kind: payload.event,
      occurredAt,
      payload: JSON.stringify(payload),
    })),
  });
  await tx.delivery.createMany({
    data: told.flatMap((event) =>
      event.endpoints.map((endpoint) => ({
        id: createId('delivery'),
        organizationId: event.organizationId,
        eventId: event.id,
        endpointId: endpoint.id,
        body: renderBody(endpoint.format, event.payload, appUrl),
        attempts: 0,
        failures: 0,
        createdAt: event.occurredAt,
        ...(endpoint.enabled ? dueAt(event.occurredAt) : missedAt(event.occurredAt)),
      })),
    ),
  });
  await notify(tx, 'pharos_deliveries');
}

function dueAt(at: Date) {
  return { status: 'pending' as const, reason: null, nextAttemptAt: at, settledAt: null };
}

function missedAt(at: Date) {
  return { status: 'failed' as const, reason: 'endpoint_disabled', nextAttemptAt: null, settledAt: at };
}
