import type { Format } from '../format';
import { renderNtfy } from './render-ntfy';

const SEQUENCE_ID = /^[\w-]{1,64}$/;

/** A topic of a server, as JSON. */
export const ntfy = {
  label: 'ntfy',
  hint: 'Messages to an ntfy topic. The URL is that of the server.',
  documentation:
    'a message to the `topic` of an ntfy server, with a priority from 3 to 5, an emoji, and the link. `url` is the server, by default `https://ntfy.sh`; a `token` is for topics that require one. From version 2.16 of the server, devices show only the newest message of an incident.',
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
