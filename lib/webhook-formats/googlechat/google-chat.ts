import type { Format } from '../format';
import { renderGoogleChat } from './render-google-chat';

/** The webhook of a space. */
export const googlechat = {
  label: 'Google Chat',
  hint: 'Cards for a webhook of a Google Chat space.',
  documentation: 'a card, for the webhook of a Google Chat space. The cards of an incident are a thread.',
  reader: 'people',
  events: ['incidents'],
  render: renderGoogleChat,
  address: ({ url, messageKey }) => (messageKey === null ? {} : { url: inThread(url, messageKey) }),
} as const satisfies Format;

/** Messages with the same key are a thread. */
function inThread(url: string, key: string): string {
  const address = new URL(url);
  address.searchParams.set('threadKey', key);
  address.searchParams.set('messageReplyOption', 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD');
  return address.href;
}
