import type { Format } from '../format';
import { renderPushover } from './render-pushover';

/** The Message API. */
export const pushover = {
  label: 'Pushover',
  hint: 'Messages to a Pushover user or group.',
  documentation:
    'a message of the application with this `token` to a `user` or group. Major and critical incidents ignore quiet hours.',
  reader: 'people',
  events: ['incidents'],
  render: renderPushover,
  account: {
    url: 'https://api.pushover.net/1/messages.json',
    credentials: {
      token: {
        label: 'API token',
        hint: 'Of your application at Pushover.',
        isRequired: true,
        example: 'azGDORePK8gMaC0QOYAMyEEuzJnyUi',
      },
      user: {
        label: 'User key',
        hint: 'Of a user or a group.',
        isRequired: true,
        example: 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG',
      },
    },
  },
  address: ({ body }, { token, user }) => ({ body: JSON.stringify({ token, user, ...JSON.parse(body) }) }),
} as const satisfies Format;
