import { type Delivery, type DeliveryStatus, isSkipped } from '@/lib/schemas/webhooks/delivery';
import type { EventKind } from '@/lib/schemas/webhooks/event-kinds';
import type { Webhook } from '@/lib/schemas/webhooks/webhook';

/** When each event is sent. */
export const EVENT_TEXTS: Record<EventKind, string> = {
  'monitor.down': 'A monitor went down after reaching its failure threshold.',
  'monitor.up': 'A monitor recovered.',
  'monitor.degraded': 'A monitor is slow, or fails in some regions.',
  'incident.created': 'An incident was opened, automatically or manually.',
  'incident.updated': 'The status, severity, title, or affected components of an incident changed.',
  'incident.acknowledged': 'Someone acknowledged an incident.',
  'incident.resolved': 'An incident was resolved.',
};

const EVENT_COUNT = Object.keys(EVENT_TEXTS).length;

export const STATUS_LABELS: Record<DeliveryStatus, string> = {
  failed: 'Failed',
  pending: 'Pending',
  delivered: 'Delivered',
};

/** Why a delivery failed, or the result of its latest attempt; empty before the first. */
export function formatOutcome(
  delivery: Pick<Delivery, 'status' | 'reason' | 'lastStatusCode' | 'lastError'>,
): string {
  const { status, reason, lastStatusCode, lastError } = delivery;
  if (reason === 'endpoint_disabled') return 'not sent: the channel was disabled';
  if (reason === 'endpoint_deleted') return 'not sent: the channel was deleted';
  if (lastError !== null && (status !== 'delivered' || isSkipped(lastError))) return lastError;
  return lastStatusCode === null ? '' : `responded with ${lastStatusCode}`;
}

/** Details that follow the status of a delivery. */
export function formatStanding(delivery: Delivery): string {
  const outcome = formatOutcome(delivery);
  if (delivery.reason !== 'exhausted' || delivery.event === 'webhook.test') return outcome;
  return `after the last scheduled attempt: ${outcome}`;
}

/** Header lines sorted by name: the database does not keep their order. */
export function formatHeaders(headers: Record<string, string>): string {
  return Object.entries(headers)
    .sort(([a], [b]) => a.localeCompare(b, 'en'))
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

/** Whether these are all events. */
export function isAllEvents(events: readonly EventKind[]): boolean {
  return events.length === EVENT_COUNT;
}

/** The name of an endpoint: its description, or its URL without the scheme. */
export function endpointName({ description, url }: Pick<Webhook, 'description' | 'url'>): string {
  return description || url.replace(/^https?:\/\//, '').replace(/\/$/, '');
}

/** `All events`, the name of a single event, or `3 of 7 events`. */
export function formatEvents(events: readonly EventKind[]): string {
  const [first, ...others] = events;
  if (isAllEvents(events)) return 'All events';
  return first && others.length === 0 ? first : `${events.length} of ${EVENT_COUNT} events`;
}
