import type { WebhookFormat } from './webhook';

/** The products in which people read messages. */
export const CHAT_NAMES = {
  slack: 'Slack',
  discord: 'Discord',
  teams: 'Microsoft Teams',
  mattermost: 'Mattermost',
  googlechat: 'Google Chat',
  ntfy: 'ntfy',
  telegram: 'Telegram',
  pushover: 'Pushover',
} as const satisfies Partial<Record<WebhookFormat, string>>;

/** Whether people read what an endpoint with this format gets; the others are for programs, or group what they get by themselves. */
export function isReadByPeople(format: string): boolean {
  return Object.hasOwn(CHAT_NAMES, format);
}

/** Where people read the messages of an endpoint, such as `Slack (#ops)`. */
export function formatReaders({ format, description }: { format: string; description: string }): string {
  const product = Object.entries(CHAT_NAMES).find(([name]) => name === format)?.[1] ?? 'a chat';
  return description === '' ? product : `${product} (${description})`;
}
