import type { EventContent } from '@/lib/schemas/webhooks/events';
import type { WebhookFormat } from '@/lib/schemas/webhooks/webhook';
import type { FlappingNote } from '@/lib/state/announcements/flapping-note';

/** The formats of products in which people read messages; the others are for programs or group what they get by themselves. */
const READ_BY_PEOPLE: ReadonlySet<WebhookFormat> = new Set([
  'slack',
  'discord',
  'teams',
  'mattermost',
  'googlechat',
  'ntfy',
  'telegram',
  'pushover',
]);

/** Whether people read what an endpoint with this format gets. */
export const isReadByPeople = (format: WebhookFormat): boolean => READ_BY_PEOPLE.has(format);

/**
 * The message of an endpoint that an event belongs to: one per incident, and one per time in which a monitor flaps. Null if it belongs to none.
 */
export function messageKeyOf(
  format: WebhookFormat,
  { incident }: EventContent,
  note: FlappingNote | null = null,
): string | null {
  return isReadByPeople(format) ? (note?.key ?? incident?.id ?? null) : null;
}
