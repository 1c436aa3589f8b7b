import { clip, clipLine, escapeEntities } from '../clip';
import type { Format } from '../format';
import { COLORS, type Message } from '../message';

/** The webhook of a space. */
export const googlechat = {
  label: 'Google Chat',
  hint: 'Cards for a webhook of a Google Chat space.',
  documentation: 'a card, for the webhook of a Google Chat space. The cards of an incident are a thread.',
  group: 'chat',
  mark: { letters: 'GC', color: '#0B7A3B' },
  steps: [
    'In Google Chat, open the space that is to be notified, and choose Apps & integrations in the menu of its name.',
    'Click Add webhooks, and enter a name, such as Pharos.',
    'Copy the link of the new webhook from its menu.',
  ],
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

/** Google Chat allows 32,000 bytes in a message: these limits stay below it even with four-byte characters and entities. */
const MAX_TITLE = 200;
const MAX_TEXT = 2000;
const MAX_VALUE = 300;

/** The body for a Google Chat incoming webhook: one card. There is no `text`, in which `<users/all>` would mention everyone. */
function renderGoogleChat({ tone, title, text, facts, link, acknowledge, at }: Message): object {
  const heading = clipLine(title, MAX_TITLE);
  const paragraphs = [
    `<font color="${COLORS[tone]}"><b>${clipLine(title, MAX_TITLE, escapeEntities)}</b></font>`,
    ...(text === '' ? [] : [clip(text, MAX_TEXT, escapeEntities)]),
  ];
  const links = [acknowledge, link].flatMap((to) => to ?? []);
  const widgets = [
    { textParagraph: { text: paragraphs.join('\n') } },
    ...facts.map(({ label, value }) => ({
      decoratedText: { topLabel: label, text: clipLine(value, MAX_VALUE, escapeEntities), wrapText: true },
    })),
    { textParagraph: { text: at.toISOString() } },
    ...(links.length === 0 ? [] : [{ buttonList: { buttons: links.map(toButton) } }]),
  ];
  return { fallbackText: heading, cardsV2: [{ cardId: 'event', card: { sections: [{ widgets }] } }] };
}

function toButton({ label, url }: NonNullable<Message['link']>) {
  return { text: label, onClick: { openLink: { url } } };
}
