import { clip, clipLine, type Escape } from './clip';
import type { Message, Tone } from './message';

const COLOURS: Record<Tone, string> = {
  good: 'good',
  slow: 'warning',
  bad: 'attention',
  neutral: 'accent',
};

/** Teams takes 28 KB in all, in UTF-8: these stay below it with characters of four bytes. */
const TITLE = 256;
const TEXT = 4000;
const VALUE = 300;

/** What the markdown of a card is made of, with the brace of `{{DATE(…)}}`; at the start of a line also what lists are. */
const MARKUP = /[\\*_~`[\]{]|^[-+#]/gm;

/** The body for a Teams workflow that posts what its webhook receives: a message with one Adaptive Card. */
export function renderTeams({ tone, title, text, facts, link, at }: Message): object {
  const heading = clipLine(title, TITLE, escapeMarkdown);
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    fallbackText: heading,
    msteams: { width: 'Full' },
    body: [
      {
        type: 'Container',
        style: COLOURS[tone],
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
      ...(text === '' ? [] : [{ type: 'TextBlock', text: clip(text, TEXT, escapeMarkdown), wrap: true }]),
      ...(facts.length === 0 ? [] : [{ type: 'FactSet', facts: facts.map(toFact) }]),
      { type: 'TextBlock', text: formatTime(at), isSubtle: true, size: 'Small', wrap: true },
    ],
    ...(link ? { actions: [{ type: 'Action.OpenUrl', title: link.label, url: link.url }] } : {}),
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  };
}

function toFact({ label, value }: Message['facts'][number]) {
  return { title: label, value: clipLine(value, VALUE, escapeMarkdown) };
}

/** A line break takes two of them: one alone is a space. */
const escapeMarkdown: Escape = (text) =>
  text
    .replace(MARKUP, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\n', '\n\n');

/** In the reader's own time zone; cards know moments without milliseconds only. */
function formatTime(at: Date): string {
  const moment = at.toISOString().replace(/\.\d+Z$/, 'Z');
  return `{{DATE(${moment}, SHORT)}} {{TIME(${moment})}}`;
}
