import { clip, clipLine } from '../clip';
import type { Format } from '../format';
import type { Message, Urgency } from '../message';

/** The Message API. */
export const pushover = {
  label: 'Pushover',
  hint: 'Messages to a Pushover user or group.',
  documentation:
    'a message of the application with this `token` to a `user` or group. Major and critical incidents ignore quiet hours.',
  group: 'push',
  mark: { letters: 'Po', color: '#1F5E9E' },
  steps: [
    'Sign in at pushover.net, and copy your user key, or the key of a group.',
    'Create an application there, such as Pharos.',
    'Copy the API token of the application.',
  ],
  reader: 'people',
  events: ['incidents'],
  render: renderPushover,
  account: {
    url: 'https://api.pushover.net/1/messages.json',
    credentials: {
      token: {
        label: 'API token',
        hint: 'From your Pushover application.',
        isRequired: true,
        example: 'a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5',
      },
      user: {
        label: 'User key',
        hint: 'For a user or a group.',
        isRequired: true,
        example: 'u1v2w3x4y5z6a7b8c9d0e1f2g3h4i5',
      },
    },
  },
  address: ({ body }, { token, user }) => ({ body: JSON.stringify({ token, user, ...JSON.parse(body) }) }),
} as const satisfies Format;

/** Pushover allows 250 characters in a title, 1024 in a message, 512 in a URL and 100 in its title. */
const MAX_TITLE = 250;
const MAX_TEXT = 500;
const MAX_VALUE = 80;
const MAX_URL = 512;

/** 1 ignores quiet hours; 2 would repeat until somebody confirms it in the app. */
const PRIORITIES: Record<Urgency, number> = { critical: 1, major: 1, minor: 0, none: 0 };

/** The message for Pushover, without the keys of the application and the user. */
function renderPushover({ urgency, title, text, facts, at, ...links }: Message): object {
  // It has one link. The page that acknowledges an incident has one to the incident.
  const link = links.acknowledge ?? links.link;
  const details = facts.map(({ label, value }) => `${label}: ${clipLine(value, MAX_VALUE)}`);
  const lines = [...(text === '' ? [] : [clip(text, MAX_TEXT)]), ...details];
  return {
    title: clipLine(title, MAX_TITLE),
    message: lines.join('\n') || '–',
    priority: PRIORITIES[urgency],
    timestamp: Math.floor(at.getTime() / 1000),
    ...(link && link.url.length <= MAX_URL ? { url: link.url, url_title: link.label } : {}),
  };
}
