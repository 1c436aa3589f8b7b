import { offersAcknowledgement } from '@/lib/notify/acknowledge-link';
import type { WebhookEvent } from '@/lib/notify/message';

const TOKEN = `del_01jpa7k3q8f2v9x4m6t0r5w1ze.t3k4m5.${'0123456789abcdef'.repeat(4)}`;

/** The longest link that a message can have. */
export const LONGEST_URL = `https://${'a'.repeat(60)}.example.com/${'b'.repeat(304)}/acknowledge/${TOKEN}`;

/** An event as its message is sent, with the link that acknowledges its incident if it is open. */
export function withLink(
  event: WebhookEvent,
  url = `https://pharos.example.com/acknowledge/${TOKEN}`,
): WebhookEvent {
  if (event.event === 'webhook.test' || !offersAcknowledgement(event)) return event;
  return { ...event, acknowledgeUrl: url };
}
