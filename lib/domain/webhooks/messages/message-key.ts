import type { EventContent } from '@/lib/schemas/webhooks/events';
import { isReadByPeople } from '@/lib/schemas/webhooks/reader-names';
import type { WebhookFormat } from '@/lib/schemas/webhooks/webhook';
import type { FlappingNote } from '@/lib/state/announcements/flapping-note';

export { isReadByPeople };

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
