import { clip, clipLine, type Escape } from '../clip';
import type { Format } from '../format';
import { COLORS, type Message } from '../message';
import { editDiscord } from './edit-discord';

/** The webhook of a channel. */
export const discord = {
  label: 'Discord',
  hint: 'Messages for a Discord channel webhook.',
  documentation: 'an embed, for the webhook of a Discord channel, which is edited. It mentions nobody.',
  group: 'chat',
  mark: { letters: 'Di', color: '#4752C4' },
  steps: [
    'In Discord, open the settings of the channel that is to be notified.',
    'Choose Integrations, then Webhooks, and create a webhook.',
    'Click Copy Webhook URL.',
  ],
  reader: 'people',
  events: ['incidents'],
  render: renderDiscord,
  edits: {
    product: editDiscord,
    needsCredentials: false,
    documentation: 'another message if it is worse, down again or over.',
  },
} as const satisfies Format;

/**
 * Discord allows 256 characters in a title, 4096 in a description and 1024 in a value, but 6000 in total: these limits fit
 * five facts.
 */
const MAX_TITLE = 256;
const MAX_TEXT = 3500;
const MAX_VALUE = 300;
/** Characters of Markdown, mentions, emoji and links; at the start of a line also those of lists and headings. */
const MARKUP = /[\\*_~`|<>[\]@]|:(?=\S)|^[-+#]/gm;
/** Values up to this length are shown in columns. */
const MAX_INLINE = 40;

const escapeMarkdown: Escape = (text) => text.replace(MARKUP, '\\$&');

/** The body for a Discord webhook: one embed. Mentions in the texts are disabled. */
function renderDiscord({ tone, title, text, facts, link, acknowledge, at }: Message): object {
  const paragraphs = [
    ...(text === '' ? [] : [clip(text, MAX_TEXT, escapeMarkdown)]),
    // Not a button, which Discord shows only in webhooks of applications.
    ...(acknowledge ? [`[${acknowledge.label}](${acknowledge.url})`] : []),
  ];
  return {
    embeds: [
      {
        title: clipLine(title, MAX_TITLE, escapeMarkdown),
        ...(link ? { url: link.url } : {}),
        ...(paragraphs.length === 0 ? {} : { description: paragraphs.join('\n\n') }),
        color: Number.parseInt(COLORS[tone].slice(1), 16),
        fields: facts.map(({ label, value }) => ({
          name: label,
          value: clipLine(value, MAX_VALUE, escapeMarkdown),
          inline: value.length <= MAX_INLINE,
        })),
        timestamp: at.toISOString(),
      },
    ],
    allowed_mentions: { parse: [] },
  };
}
