import { clip, clipLine, type Escape } from '../clip';
import type { Format } from '../format';
import { COLORS, type Message } from '../message';

/** An incoming webhook. */
export const mattermost = {
  label: 'Mattermost',
  hint: 'Messages for a Mattermost incoming webhook.',
  documentation: 'an attachment, for a Mattermost incoming webhook. It mentions nobody.',
  group: 'chat',
  mark: { letters: 'Ma', color: '#1E325C' },
  steps: [
    'In Mattermost, open the product menu, then Integrations and Incoming Webhooks.',
    'Click Add Incoming Webhook, and choose the channel that is to be notified.',
    'Copy the URL that is shown after you save.',
  ],
  reader: 'people',
  events: ['incidents'],
  render: renderMattermost,
} as const satisfies Format;

/** Mattermost shortens a text of more than 16,383 characters, and rejects attachments of more than 8,000 in older versions. */
const MAX_TITLE = 200;
const MAX_TEXT = 2800;
const MAX_VALUE = 300;
/** Values up to this length are shown in columns. */
const MAX_SHORT = 40;
/** Characters of Markdown; at the start of a line also those of lists and headings. */
const MARKUP = /[\\*_~`|<>[\]#!{}]|^[-+]/gm;
/** What a mention, a channel or an emoji begins with: a backslash does not disable them, an invisible character does. */
const REFERENCE = /@(?=\S)|~(?=\S)|:(?=[\w+-]+:)/g;

const escapeMarkdown: Escape = (text) => text.replace(REFERENCE, '$&\u200b').replace(MARKUP, '\\$&');

/** The body for a Mattermost incoming webhook: one message attachment. */
function renderMattermost({ tone, title, text, facts, link, acknowledge, at }: Message): object {
  const heading = clipLine(title, MAX_TITLE, escapeMarkdown);
  const paragraphs = [
    ...(text === '' ? [] : [clip(text, MAX_TEXT, escapeMarkdown)]),
    // Not an action, which Mattermost calls by itself.
    ...(acknowledge ? [`[${acknowledge.label}](${acknowledge.url})`] : []),
  ];
  return {
    attachments: [
      {
        fallback: heading,
        color: COLORS[tone],
        title: heading,
        ...(link ? { title_link: link.url } : {}),
        ...(paragraphs.length === 0 ? {} : { text: paragraphs.join('\n\n') }),
        fields: facts.map(({ label, value }) => ({
          title: label,
          value: clipLine(value, MAX_VALUE, escapeMarkdown),
          short: value.length <= MAX_SHORT,
        })),
        footer: at.toISOString(),
      },
    ],
  };
}
