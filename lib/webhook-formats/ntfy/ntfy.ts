import { clip, clipLine } from '../clip';
import type { Format } from '../format';
import type { Message, Tone, Urgency } from '../message';

const SEQUENCE_ID = /^[\w-]{1,64}$/;

/** A topic of a server, as JSON. */
export const ntfy = {
  label: 'ntfy',
  hint: 'Messages to an ntfy topic. The URL is that of the server.',
  documentation:
    'a message to the `topic` of an ntfy server, with a priority from 3 to 5, an emoji, and the link. `url` is the server, by default `https://ntfy.sh`; a `token` is for topics that require one. From version 2.16 of the server, devices show only the newest message of an incident.',
  group: 'push',
  mark: { letters: 'nt', color: '#2A6A5F' },
  steps: [
    'Install the ntfy app on your phone, or open ntfy.sh in a browser.',
    'Subscribe to a topic with a name that nobody guesses, and enter it here.',
    'For a server of your own, enter its URL. For a protected topic, create an access token in your account there.',
  ],
  reader: 'people',
  events: ['incidents'],
  render: renderNtfy,
  account: {
    url: 'https://ntfy.sh',
    credentials: {
      topic: {
        label: 'Topic',
        hint: 'Anyone who knows it can read it, unless the server restricts access.',
        isRequired: true,
        shape: {
          pattern: /^[\w-]{1,64}$/,
          message: 'must be 1 to 64 letters, digits, hyphens or underscores',
        },
        example: 'pharos-alerts',
      },
      token: {
        label: 'Access token',
        hint: 'Only for topics that require one.',
        isRequired: false,
        example: 'tk_0123456789abcdef',
      },
    },
  },
  address: ({ body, messageKey }, { topic, token }) => ({
    body: JSON.stringify({
      topic,
      // Devices show the newest message of a sequence. Servers before 2.16 ignore it.
      ...(messageKey !== null && SEQUENCE_ID.test(messageKey) ? { sequence_id: messageKey } : {}),
      ...JSON.parse(body),
    }),
    ...(token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } }),
  }),
} as const satisfies Format;

/** ntfy turns a message of more than 4096 bytes into an attachment: these stay below it with four-byte characters. */
const MAX_TITLE = 200;
const MAX_TEXT = 500;
const MAX_VALUE = 80;

/** From 1, lowest, to 5, which also rings longer; 3 is the default. */
const PRIORITIES: Record<Urgency, number> = { critical: 5, major: 4, minor: 3, none: 3 };
/** Short codes of emoji that ntfy shows before the title. */
const TAGS: Record<Tone, string> = {
  good: 'white_check_mark',
  slow: 'warning',
  bad: 'rotating_light',
  neutral: 'bell',
};

/** The message for ntfy as JSON, which is published to the root of a server, without the topic. */
function renderNtfy({ tone, urgency, title, text, facts, link, acknowledge }: Message): object {
  return {
    title: clipLine(title, MAX_TITLE),
    message: formatLines(text, facts),
    priority: PRIORITIES[urgency],
    tags: [TAGS[tone]],
    ...(link ? { click: link.url } : {}),
    ...(acknowledge ? { actions: [{ action: 'view', ...acknowledge, clear: true }] } : {}),
  };
}

function formatLines(text: string, facts: Message['facts']): string {
  const details = facts.map(({ label, value }) => `${label}: ${clipLine(value, MAX_VALUE)}`);
  const lines = [...(text === '' ? [] : [clip(text, MAX_TEXT)]), ...details];
  return lines.join('\n') || '–';
}
