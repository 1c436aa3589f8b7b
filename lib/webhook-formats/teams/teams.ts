import { clip, clipLine, type Escape, escapeEntities } from '../clip';
import type { Format } from '../format';
import type { Message, Tone } from '../message';

/** A workflow that posts to a channel. */
export const teams = {
  label: 'Microsoft Teams',
  hint: 'Cards for a Microsoft Teams workflow.',
  documentation:
    'a message with an Adaptive Card, for a Teams workflow that posts to a channel when a webhook request is received.',
  group: 'chat',
  mark: { letters: 'Te', color: '#4B53BC' },
  steps: [
    'In Teams, open the menu of the channel that is to be notified, and choose Workflows.',
    'Choose the template that posts to a channel when a webhook request is received, and confirm the team and the channel.',
    'Copy the URL that is shown at the end.',
  ],
  reader: 'people',
  events: ['incidents'],
  render: renderTeams,
} as const satisfies Format;

const COLORS: Record<Tone, string> = { good: 'good', slow: 'warning', bad: 'attention', neutral: 'accent' };
/** Teams allows 28 KB in UTF-8: these limits stay below it even with four-byte characters. */
const MAX_TITLE = 256;
const MAX_TEXT = 4000;
const MAX_VALUE = 300;
/** Characters of a card's Markdown and of `{{DATE(…)}}`; at the start of a line also those of lists. */
const MARKUP = /[\\*_~`[\]{]|^[-+#]/gm;

/** The body for a Teams workflow: a message with one Adaptive Card. */
function renderTeams({ tone, title, text, facts, link, acknowledge, at }: Message): object {
  const heading = clipLine(title, MAX_TITLE, escapeMarkdown);
  const links = [acknowledge, link].flatMap((to) => to ?? []);
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    fallbackText: heading,
    msteams: { width: 'Full' },
    body: [
      {
        type: 'Container',
        style: COLORS[tone],
        bleed: true,
        items: [
          {
            type: 'TextBlock',
            text: heading,
            size: 'Large',
            weight: 'Bolder',
            wrap: true,
            style: 'heading',
          },
        ],
      },
      ...(text === '' ? [] : [{ type: 'TextBlock', text: clip(text, MAX_TEXT, escapeMarkdown), wrap: true }]),
      ...(facts.length === 0 ? [] : [{ type: 'FactSet', facts: facts.map(toFact) }]),
      { type: 'TextBlock', text: formatTime(at), isSubtle: true, size: 'Small', wrap: true },
    ],
    ...(links.length === 0 ? {} : { actions: links.map(toAction) }),
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  };
}

function toAction({ label, url }: NonNullable<Message['link']>) {
  return { type: 'Action.OpenUrl', title: label, url };
}

function toFact({ label, value }: Message['facts'][number]) {
  return { title: label, value: clipLine(value, MAX_VALUE, escapeMarkdown) };
}

/** Doubles line breaks, because a single one is rendered as a space. */
const escapeMarkdown: Escape = (text) =>
  escapeEntities(text.replace(MARKUP, '\\$&')).replaceAll('\n', '\n\n');

/** A time in the reader's time zone; cards do not support milliseconds. */
function formatTime(at: Date): string {
  const moment = at.toISOString().replace(/\.\d+Z$/, 'Z');
  return `{{DATE(${moment}, SHORT)}} {{TIME(${moment})}}`;
}
