import type { Format } from '../format';
import { editDiscord } from './edit-discord';
import { renderDiscord } from './render-discord';

/** The webhook of a channel. */
export const discord = {
  label: 'Discord',
  hint: 'Messages for a Discord channel webhook.',
  documentation: 'an embed, for the webhook of a Discord channel, which is edited. It mentions nobody.',
  reader: 'people',
  events: ['incidents'],
  render: renderDiscord,
  edits: {
    product: editDiscord,
    needsCredentials: false,
    documentation: 'another message if it is worse, down again or over.',
  },
} as const satisfies Format;
