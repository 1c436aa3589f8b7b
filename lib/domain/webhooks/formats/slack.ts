import { clip, clipLine, type Escape } from './clip';
import type { Message, Tone } from './message';

const COLOURS: Record<Tone, string> = {
  good: '#2fa36f',
  slow: '#d99411',
  bad: '#d63d3d',
  neutral: '#64748b',
};

/** Block Kit takes 150 characters in a header, 3000 in a section and 2000 in a field, of which there may be ten. */
const TITLE = 150;
const TEXT = 3000;
const VALUE = 300;

/**
 * The body of a Slack incoming webhook: `text` is what notifications show, the blocks are the message, in an attachment
 * where they have a bar of colour. Texts of others stand in `plain_text` only, where nothing but these three characters
 * means anything.
 */
export function renderSlack({ tone, title, text, facts, link, at }: Message): object {
  const heading = clipLine(title, TITLE, escapeMrkdwn);
  const summary = text === '' ? heading : `${heading} – ${clipLine(text, VALUE, escapeMrkdwn)}`;
  const details = [
    ...(text === '' ? [] : [{ type: 'section', text: plain(clip(text, TEXT, escapeMrkdwn)) }]),
    ...(facts.length === 0 ? [] : [{ type: 'section', fields: facts.flatMap(toColumns) }]),
    {
      type: 'context',
      elements: [
        ...(link ? [{ type: 'mrkdwn', text: `<${link.url}|${link.label}>` }] : []),
        { type: 'mrkdwn', text: formatTime(at) },
      ],
    },
  ];
  return {
    text: summary,
    blocks: [{ type: 'header', text: plain(heading) }],
    attachments: [{ color: COLOURS[tone], blocks: details }],
  };
}

/** Fields stand in two columns: what it is, and beside it how it is. */
function toColumns({ label, value }: Message['facts'][number]) {
  return [{ type: 'mrkdwn', text: `*${label}*` }, plain(clipLine(value, VALUE, escapeMrkdwn))];
}

const escapeMrkdwn: Escape = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** `:fire:` stays what it is. */
function plain(text: string) {
  return { type: 'plain_text', text, emoji: false };
}

/** In the reader's own time zone. */
function formatTime(at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000);
  return `<!date^${seconds}^{date_short_pretty} {time_secs}|${at.toISOString()}>`;
}
