import { createId } from '@/lib/core/ids';
import { type NameRegion, readRegionNames } from '@/lib/domain/regions/region-names';
import type { Transaction } from '@/lib/platform/db/client';
import type { EventContent } from '@/lib/schemas/webhooks/events';
import { formatOf, hasTemplate } from '@/lib/webhook-formats/formats';
import { renderBody } from './formats/render-body';
import { hiddenAcknowledgeUrl, offersAcknowledgement } from './messages/acknowledge-link';
import { chooseMessages } from './messages/choose-messages';
import type { SubscribedEvent } from './routing/subscribers';
import { noteFor } from './while-flapping';

/** The events with the names of own regions, for products in which people read them. Programs get the IDs. */
export async function nameRegions(tx: Transaction, events: SubscribedEvent[]): Promise<SubscribedEvent[]> {
  const isRead = events.some(({ endpoints }) =>
    endpoints.some(({ format }) => formatOf(format).reader !== 'program'),
  );
  if (!isRead) return events;
  const regions = events.flatMap(({ payload }) => ('details' in payload ? [payload.details.region] : []));
  const nameRegion = await readRegionNames(tx, regions);
  return events.map((event) => ({ ...event, payload: withRegion(event.payload, nameRegion) }));
}

function withRegion(payload: EventContent, nameRegion: NameRegion): EventContent {
  switch (payload.event) {
    case 'monitor.down':
      return { ...payload, details: { ...payload.details, region: nameRegion(payload.details.region) } };
    case 'monitor.degraded':
      return { ...payload, details: { ...payload.details, region: nameRegion(payload.details.region) } };
    case 'monitor.up':
      return { ...payload, details: { ...payload.details, region: nameRegion(payload.details.region) } };
    default:
      return payload;
  }
}

/**
 * Writes the deliveries of events that are already stored, with their bodies. Those to enabled endpoints are due immediately; those to
 * automatically disabled ones have failed. Takes a fixed number of statements.
 */
export async function insertDeliveries(
  tx: Transaction,
  events: SubscribedEvent[],
  appUrl: string | null,
): Promise<void> {
  const owed = await chooseMessages(
    tx,
    events.flatMap((event) => event.endpoints.map((endpoint) => ({ event, endpoint }))),
  );
  const ids = owed.map(() => createId('delivery'));
  const organizationIds = owed.map(({ event }) => event.organizationId);
  const eventIds = owed.map(({ event }) => event.id);
  const moments = owed.map(({ event }) => event.occurredAt);
  const endpointIds = owed.map(({ endpoint }) => endpoint.id);
  const bodies = owed.map(({ event: { payload, dependents, flapping }, endpoint }, place) => {
    const isOffered = endpoint.acknowledgeLinks && offersAcknowledgement(payload);
    const acknowledgeUrl = isOffered ? hiddenAcknowledgeUrl(appUrl, ids[place] ?? '') : null;
    const said = { dependents, acknowledgeUrl, flapping: noteFor(endpoint.format, flapping) };
    return renderBody(endpoint.format, { ...payload, ...said }, appUrl);
  });
  const formats = owed.map(({ endpoint }) => (hasTemplate(endpoint.format) ? endpoint.format : null));
  const messageKeys = owed.map(({ messageKey }) => messageKey);
  const messageStatuses = owed.map(({ messageStatus }) => messageStatus);
  const enabled = owed.map(({ endpoint }) => endpoint.enabled);
  await tx.$executeRaw`
    INSERT INTO delivery (id, organization_id, event_id, endpoint_id, body, format, message_key, message_status,
           attempts, failures, created_at, status, reason, next_attempt_at, settled_at)
    SELECT id, organization_id, event_id, endpoint_id, body, format, message_key, message_status, 0, 0, at,
           (CASE WHEN enabled THEN 'pending' ELSE 'failed' END)::delivery_status,
           CASE WHEN NOT enabled THEN 'endpoint_disabled' END,
           CASE WHEN enabled THEN at END, CASE WHEN NOT enabled THEN at END
      FROM unnest(${ids}::text[], ${organizationIds}::text[], ${eventIds}::text[], ${moments}::timestamptz[],
                  ${endpointIds}::text[], ${bodies}::text[], ${formats}::text[], ${messageKeys}::text[],
                  ${messageStatuses}::text[], ${enabled}::boolean[])
           AS owed (id, organization_id, event_id, at, endpoint_id, body, format, message_key, message_status, enabled)`;
}
