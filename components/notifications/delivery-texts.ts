import type { CredentialName } from '@/lib/schemas/webhooks/credentials';
import { type Delivery, type DeliveryStatus, isSkipped } from '@/lib/schemas/webhooks/delivery';
import type { EventKind } from '@/lib/schemas/webhooks/event-kinds';
import type { Webhook, WebhookFormat } from '@/lib/schemas/webhooks/webhook';

/** When each event is sent. */
export const EVENT_TEXTS: Record<EventKind, string> = {
  'monitor.down': 'A monitor went down after reaching its failure threshold.',
  'monitor.up': 'A monitor recovered.',
  'monitor.degraded': 'A monitor is slow, or fails in some regions.',
  'incident.created': 'An incident was opened, automatically or manually.',
  'incident.updated': 'The status, severity, title, or what an incident affects changed.',
  'incident.acknowledged': 'Somebody acknowledged an incident.',
  'incident.resolved': 'An incident was resolved.',
};

export const FORMAT_TEXTS: Record<WebhookFormat, { label: string; hint: string }> = {
  standard: { label: 'Standard', hint: 'JSON events, as documented in the API reference.' },
  slack: {
    label: 'Slack',
    hint: 'Messages to a Slack channel, with an incoming webhook or the token of a bot.',
  },
  discord: { label: 'Discord', hint: 'Messages for a Discord channel webhook.' },
  teams: { label: 'Microsoft Teams', hint: 'Cards for a Microsoft Teams workflow.' },
  mattermost: { label: 'Mattermost', hint: 'Messages for a Mattermost incoming webhook.' },
  googlechat: { label: 'Google Chat', hint: 'Cards for a webhook of a Google Chat space.' },
  alertmanager: {
    label: 'Alertmanager',
    hint: 'Alerts for Prometheus Alertmanager. The URL ends with /api/v2/alerts.',
  },
  pagerduty: { label: 'PagerDuty', hint: 'Alerts for a PagerDuty service, resolved with their incidents.' },
  opsgenie: { label: 'Opsgenie', hint: 'Alerts for Opsgenie, closed with their incidents.' },
  ntfy: { label: 'ntfy', hint: 'Messages to an ntfy topic. The URL is that of the server.' },
  telegram: { label: 'Telegram', hint: 'Messages from a Telegram bot to a chat.' },
  pushover: { label: 'Pushover', hint: 'Messages to a Pushover user or group.' },
  custom: { label: 'Custom', hint: 'A body of your own, from a Liquid template, with headers of your own.' },
};

/** What people find the credentials of a product under. */
export const CREDENTIAL_TEXTS: Record<CredentialName, { label: string; hint: string }> = {
  routingKey: { label: 'Integration key', hint: 'Of an Events API V2 integration of the service.' },
  apiKey: { label: 'API key', hint: 'Of an API integration that may create and update alerts.' },
  topic: { label: 'Topic', hint: 'Anyone who knows it can read it, unless the server restricts access.' },
  token: { label: 'Token', hint: '' },
  channel: { label: 'Channel', hint: 'The name or the ID of a channel to which the app is invited.' },
  chatId: { label: 'Chat ID', hint: 'A number, negative for groups, or @ and the name of a public channel.' },
  user: { label: 'User key', hint: 'Of a user or a group.' },
};

/** What the token of each product is. */
export const TOKEN_TEXTS: Partial<Record<string, { label: string; hint: string }>> = {
  ntfy: { label: 'Access token', hint: 'Only for topics that require one.' },
  slack: {
    label: 'Bot token',
    hint: 'Of an app with the scope chat:write, such as xoxb-123. With it, an incident is one message, edited, with a thread.',
  },
  telegram: { label: 'Bot token', hint: 'As given by @BotFather, such as 123456:ABC-DEF.' },
  pushover: { label: 'API token', hint: 'Of your application at Pushover.' },
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
  if (reason === 'endpoint_disabled') return 'not sent: the endpoint was disabled';
  if (reason === 'endpoint_deleted') return 'not sent: the endpoint was deleted';
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
