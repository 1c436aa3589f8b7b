import type { Delivery, DeliveryStatus } from '@/lib/schemas/delivery';
import type { EventKind, Webhook, WebhookFormat } from '@/lib/schemas/webhook';

/** What each event means, for people who choose. */
export const EVENT_TEXTS: Record<EventKind, string> = {
  'monitor.down': 'A monitor failed as often as its threshold says.',
  'monitor.up': 'A monitor has recovered.',
  'monitor.degraded': 'A monitor is slow, or fails from some regions.',
  'incident.created': 'An incident was opened, by a monitor or by hand.',
  'incident.updated': 'The status of an incident changed.',
  'incident.resolved': 'An incident was resolved.',
};

export const FORMAT_TEXTS: Record<WebhookFormat, { label: string; hint: string }> = {
  standard: { label: 'Standard', hint: 'The events of the API reference as JSON, signed.' },
  slack: { label: 'Slack', hint: 'A message for an incoming webhook of Slack. Not signed.' },
  discord: { label: 'Discord', hint: 'A message for a webhook of a Discord channel. Not signed.' },
  teams: { label: 'Microsoft Teams', hint: 'A card for a workflow of Microsoft Teams. Not signed.' },
};

const EVENT_COUNT = Object.keys(EVENT_TEXTS).length;

export const STATUS_WORDS: Record<DeliveryStatus, string> = {
  failed: 'Failed',
  pending: 'Pending',
  delivered: 'Delivered',
};

/** Why a delivery failed for good, or what its newest try came to; empty before the first. */
export function sayOutcome(
  delivery: Pick<Delivery, 'status' | 'reason' | 'lastStatusCode' | 'lastError'>,
): string {
  const { status, reason, lastStatusCode, lastError } = delivery;
  if (reason === 'endpoint_disabled') return 'not sent: the endpoint was disabled';
  if (reason === 'endpoint_deleted') return 'not sent: the endpoint was deleted';
  if (lastError !== null && status !== 'delivered') return lastError;
  return lastStatusCode === null ? '' : `responded with ${lastStatusCode}`;
}

/** How a delivery stands, in a sentence that follows its status. */
export function sayStanding(delivery: Delivery): string {
  const outcome = sayOutcome(delivery);
  if (delivery.reason !== 'exhausted' || delivery.event === 'webhook.test') return outcome;
  return `after the last try of its schedule: ${outcome}`;
}

/** Header lines by name: the database does not keep their order. */
export function formatHeaders(headers: Record<string, string>): string {
  return Object.entries(headers)
    .sort(([a], [b]) => a.localeCompare(b, 'en'))
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

/** Whether an endpoint is told of every event there is. */
export function isEverything(events: readonly EventKind[]): boolean {
  return events.length === EVENT_COUNT;
}

/** What an endpoint is called: its description, or its address without the scheme. */
export function endpointName({ description, url }: Pick<Webhook, 'description' | 'url'>): string {
  return description || url.replace(/^https?:\/\//, '').replace(/\/$/, '');
}

/** `All events`, the only one, or `3 of 6 events`. */
export function sayEvents(events: readonly EventKind[]): string {
  const [first, ...others] = events;
  if (isEverything(events)) return 'All events';
  return first && others.length === 0 ? first : `${events.length} of ${EVENT_COUNT} events`;
}
