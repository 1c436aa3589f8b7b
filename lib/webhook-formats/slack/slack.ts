import type { Format } from '../format';
import { renderSlack } from './render-slack';
import { slackBot } from './slack-bot';

const API_URL = 'https://slack.com/api';

/** An incoming webhook, or the Web API with the token of a bot. */
export const slack = {
  label: 'Slack',
  hint: 'Messages to a Slack channel, with an incoming webhook or the token of a bot.',
  documentation:
    'a message in blocks, for a Slack incoming webhook; or with the `token` of a bot (`xoxb-…`, with the scope `chat:write`) and the `channel` to which it is invited, a message that is edited, with a thread.',
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
        hint: 'Of an app with the scope chat:write, such as xoxb-123. With it, an incident is one message, edited, with a thread.',
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
      hint: 'Of an incoming webhook. Leave empty with a bot token.',
      refuse: (url, hasCredentials) => {
        if (!hasCredentials) return url === API_URL ? 'must be that of an incoming webhook' : null;
        const isHook = new URL(url).hostname === 'hooks.slack.com';
        return isHook ? 'must be empty with the token of a bot, not that of an incoming webhook' : null;
      },
    },
  },
} as const satisfies Format;
