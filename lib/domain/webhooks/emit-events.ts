import { createId } from '@/lib/core/ids';
import type { Services } from '@/lib/domain/context/services';
import type { Transaction } from '@/lib/platform/db/client';
import { notify } from '@/lib/platform/db/listen';
import type { EventPayload } from '@/lib/schemas/events';
import type { WebhookFormat } from '@/lib/schemas/webhook';
import { renderBody } from './formats/render-body';

/** Something that happened in an organization, to be told to its webhook endpoints. */
export type NewEvent = { organizationId: string; occurredAt: Date; payload: EventPayload };

type Subscriber = {
  id: string;
  organizationId: string;
  events: string[];
  format: WebhookFormat;
  enabled: boolean;
};
type ToldEvent = NewEvent & { id: string; endpoints: Subscriber[] };

/**
 * Writes events and one delivery per subscribed endpoint into the transaction in which they happened: they are sent if
 * and only if it commits. Events that nobody subscribed to leave no rows. For an endpoint that was disabled because it
 * failed too long the delivery is written as failed: what it misses can be recovered. What is sent is fixed here, to the
 * byte: a later change of the endpoint's format changes nothing that waits. Takes the same few statements for one event and for thousands.
 */
export async function emitEvents(
  tx: Transaction,
  { appUrl }: Pick<Services, 'appUrl'>,
  events: NewEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const endpoints: Subscriber[] = await tx.webhookEndpoint.findMany({
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
  await insertEvents(tx, told);
  await insertDeliveries(tx, told, appUrl);
  await notify(tx, 'pharos_deliveries');
}

async function insertEvents(tx: Transaction, told: ToldEvent[]): Promise<void> {
  const ids = told.map(({ id }) => id);
  const organizationIds = told.map(({ organizationId }) => organizationId);
  const kinds = told.map(({ payload }) => payload.event);
  const moments = told.map(({ occurredAt }) => occurredAt);
  const payloads = told.map(({ payload }) => JSON.stringify(payload));
  await tx.$executeRaw`
    INSERT INTO outbox_event (id, organization_id, kind, occurred_at, payload)
    SELECT * FROM unnest(${ids}::text[], ${organizationIds}::text[], ${kinds}::text[], ${moments}::timestamptz[],
                         ${payloads}::text[])`;
}

/** What is owed to an enabled endpoint is due at once; an endpoint that was disabled for failing has missed it. */
async function insertDeliveries(tx: Transaction, told: ToldEvent[], appUrl: string | null): Promise<void> {
  const owed = told.flatMap((event) => event.endpoints.map((endpoint) => ({ event, endpoint })));
  const ids = owed.map(() => createId('delivery'));
  const organizationIds = owed.map(({ event }) => event.organizationId);
  const eventIds = owed.map(({ event }) => event.id);
  const moments = owed.map(({ event }) => event.occurredAt);
  const endpointIds = owed.map(({ endpoint }) => endpoint.id);
  const bodies = owed.map(({ event, endpoint }) => renderBody(endpoint.format, event.payload, appUrl));
  const enabled = owed.map(({ endpoint }) => endpoint.enabled);
  await tx.$executeRaw`
    INSERT INTO delivery (id, organization_id, event_id, endpoint_id, body, attempts, failures, created_at, status,
           reason,
           next_attempt_at, settled_at)
    SELECT id, organization_id, event_id, endpoint_id, body, 0, 0, at,
           (CASE WHEN enabled THEN 'pending' ELSE 'failed' END)::delivery_status,
           CASE WHEN NOT enabled THEN 'endpoint_disabled' END,
           CASE WHEN enabled THEN at END, CASE WHEN NOT enabled THEN at END
      FROM unnest(${ids}::text[], ${organizationIds}::text[], ${eventIds}::text[], ${moments}::timestamptz[],
                  ${endpointIds}::text[], ${bodies}::text[], ${enabled}::boolean[])
           AS owed (id, organization_id, event_id, at, endpoint_id, body, enabled)`;
}
