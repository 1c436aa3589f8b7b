import type { EventContent } from '@/lib/schemas/webhooks/events';
import { hasTemplate } from '@/lib/webhook-formats/formats';
import { hiddenAcknowledgeUrl, offersAcknowledgement } from './acknowledge-link';
import { type EventSubscriber, noteFor, type WhileFlapping } from './audience';
import { chooseMessages, type KnownMessages } from './choose-messages';
import type { EventFacts } from './facts';
import { renderBody } from './message';
import type { NameRegion } from './region-names';

/** Creates IDs. They are an argument, so that a plan is the same whenever it is made. */
export type CreateId = (kind: 'event' | 'delivery' | 'story') => string;

/** An event, with the endpoints that are sent it. */
export type AddressedEvent = {
  id: string;
  organizationId: string;
  occurredAt: Date;
  payload: EventContent;
  /** How many monitors depend on the one that it is about, for products in which people read it. */
  dependents?: number;
  /** For how long the automatic incident was open that the recovery of its monitor resolved. */
  recoveredAfter?: string;
  flapping?: WhileFlapping;
  endpoints: readonly EventSubscriber[];
};

/** What decides the deliveries of events, besides their endpoints. */
export type DeliveryFacts = Pick<EventFacts, 'appUrl' | 'nameRegion'> & {
  /** What people read so far, by `placeOf`. */
  messages: ReadonlyMap<string, KnownMessages>;
};

/** One event for one endpoint, with its body. */
export type NewDelivery = {
  id: string;
  organizationId: string;
  eventId: string;
  endpointId: string;
  /** If not, its endpoint was automatically disabled: it has failed, so that it can be recovered. */
  isEnabled: boolean;
  at: Date;
  body: string | null;
  format: string | null;
  messageKey: string | null;
  messageStatus: string | null;
};

/**
 * The deliveries of events, in their order, without those that tell people nothing new. The exact body is fixed here; later format changes
 * do not affect pending deliveries.
 */
export function composeDeliveries(
  events: readonly AddressedEvent[],
  { messages, nameRegion, appUrl }: DeliveryFacts,
  createId: CreateId,
): NewDelivery[] {
  const owed = events.flatMap((event) => event.endpoints.map((endpoint) => ({ event, endpoint })));
  return chooseMessages(messages, owed).map(({ event, endpoint, messageKey, messageStatus }) => {
    const id = createId('delivery');
    const { payload, dependents, recoveredAfter, flapping } = event;
    const isOffered = endpoint.acknowledgeLinks && offersAcknowledgement(payload);
    const acknowledgeUrl = isOffered ? hiddenAcknowledgeUrl(appUrl, id) : null;
    const shown = {
      dependents,
      recoveredAfter,
      acknowledgeUrl,
      flapping: noteFor(endpoint.format, flapping),
    };
    return {
      id,
      organizationId: event.organizationId,
      eventId: event.id,
      endpointId: endpoint.id,
      isEnabled: endpoint.enabled,
      at: event.occurredAt,
      body: renderBody(endpoint.format, { ...withRegion(payload, nameRegion), ...shown }, appUrl),
      format: hasTemplate(endpoint.format) ? endpoint.format : null,
      messageKey,
      messageStatus,
    };
  });
}

/** The event with the names of own regions, for products in which people read them. Programs get the IDs, as it is stored. */
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
