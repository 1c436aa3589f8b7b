import { clip, clipLine, escapeEntities } from '../clip';
import type { Format } from '../format';
import { COLORS, type Message } from '../message';
import { slackBot } from './slack-bot';

const API_URL = 'https://slack.com/api';

/** An incoming webhook, or the Web API with the token of a bot. */
export const slack = {
  label: 'Slack',
  hint: 'Messages to a Slack channel, with an incoming webhook or the token of a bot.',
  documentation:
    'a message in blocks, for a Slack incoming webhook; or with the `token` of a bot (`xoxb-…`, with the scope `chat:write`) and the `channel` to which it is invited, a message that is edited, with a thread.',
  group: 'chat',
  mark: { letters: 'Sl', color: '#4A154B' },
  steps: [
    'At api.slack.com/apps, create an app from scratch, and choose your workspace.',
    'Open Incoming Webhooks, turn it on, and add a webhook to the channel that is to be notified.',
    'Copy the webhook URL, which begins with https://hooks.slack.com/services/.',
  ],
  reader: 'people',
  events: ['incidents'],
  render: renderSlack,
  edits: {
    product: slackBot,
    needsCredentials: true,
    documentation:
      'with a bot, a reply in the thread of the message. What is worse, down again or over is also sent to the channel.',
  },
  account: {
    url: API_URL,
    credentials: {
      token: {
        label: 'Bot token',
        hint: 'From an app with the scope chat:write, such as xoxb-123. With it, each incident is one message that is edited, with a thread.',
        isRequired: true,
        shape: {
          pattern: /^(xoxe\.)?xoxb-[\w-]+$/,
          message: 'must be the token of a bot, which begins with xoxb-',
        },
        example: 'xoxb-0123456789-abcdef',
      },
      channel: {
        label: 'Channel',
        hint: 'The name or the ID of a channel to which the app is invited.',
        isRequired: true,
        shape: { pattern: /^#?[\w.-]{1,80}$/, message: 'must be the name or the ID of a channel' },
        example: '#alerts',
      },
    },
    without: {
      hint: 'The URL of an incoming webhook. Leave empty with a bot token.',
      refuse: (url, hasCredentials) => {
        if (!hasCredentials) return url === API_URL ? 'must be the URL of an incoming webhook' : null;
        const isHook = new URL(url).hostname === 'hooks.slack.com';
        return isHook ? 'must be empty with the token of a bot, not the URL of an incoming webhook' : null;
      },
    },
  },
} as const satisfies Format;

/** Block Kit allows 150 characters in a header, 3000 in a section and 2000 in each of ten fields. */
const MAX_TITLE = 150;
const MAX_TEXT = 3000;
const MAX_VALUE = 300;

/**
 * The body for Slack, for incoming webhooks and bots alike: `text` for notifications, and blocks in an attachment, which has a color bar. Foreign
 * texts are only in `plain_text`, where just &, < and > have a meaning.
 */
function renderSlack({ tone, title, text, facts, link, acknowledge, at }: Message): object {
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
