import { clip, clipLine, escapeEntities } from '../clip';
import { COLORS, type Message } from '../message';

/** Block Kit allows 150 characters in a header, 3000 in a section and 2000 in each of ten fields. */
const MAX_TITLE = 150;
const MAX_TEXT = 3000;
const MAX_VALUE = 300;

/**
 * The body for Slack, for incoming webhooks and bots alike: `text` for notifications, and blocks in an attachment, which has a color bar. Foreign
 * texts are only in `plain_text`, where just &, < and > have a meaning.
 */
export function renderSlack({ tone, title, text, facts, link, acknowledge, at }: Message): object {
  const heading = clipLine(title, MAX_TITLE, escapeEntities);
  const summary = text === '' ? heading : `${heading} – ${clipLine(text, MAX_VALUE, escapeEntities)}`;
  const details = [
    ...(text === '' ? [] : [{ type: 'section', text: plain(clip(text, MAX_TEXT, escapeEntities)) }]),
    ...(facts.length === 0 ? [] : [{ type: 'section', fields: facts.flatMap(toColumns) }]),
    {
      type: 'context',
      elements: [
        // Not a button, with which Slack warns that the app handles no interactions.
        ...[acknowledge, link].flatMap((to) =>
          to ? [{ type: 'mrkdwn', text: `<${to.url}|${to.label}>` }] : [],
        ),
        { type: 'mrkdwn', text: formatTime(at) },
      ],
    },
  ];
  return {
    text: summary,
    blocks: [{ type: 'header', text: plain(heading) }],
    attachments: [{ color: COLORS[tone], blocks: details }],
  };
}

/** Slack shows fields in two columns: label and value. */
function toColumns({ label, value }: Message['facts'][number]) {
  return [{ type: 'mrkdwn', text: `*${label}*` }, plain(clipLine(value, MAX_VALUE, escapeEntities))];
}

/** Plain text, in which `:fire:` is not an emoji. */
function plain(text: string) {
  return { type: 'plain_text', text, emoji: false };
}

/** A time in the reader's time zone. */
function formatTime(at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000);
  return `<!date^${seconds}^{date_short_pretty} {time_secs}|${at.toISOString()}>`;
}
