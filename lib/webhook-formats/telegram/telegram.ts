import type { Format } from '../format';
import { editTelegram } from './edit-telegram';
import { renderTelegram } from './render-telegram';

/** The Bot API. */
export const telegram = {
  label: 'Telegram',
  hint: 'Messages from a Telegram bot to a chat.',
  documentation:
    'a message of the bot with this `token` to the chat with this `chatId`, which is edited. It mentions nobody.',
  reader: 'people',
  events: ['incidents'],
  render: renderTelegram,
  edits: {
    product: editTelegram,
    needsCredentials: false,
    documentation: 'a reply if the status changed, without sound unless it is worse, down again or over.',
  },
  account: {
    url: 'https://api.telegram.org',
    credentials: {
      // It is part of the URL.
      token: {
        label: 'Bot token',
        hint: 'As given by @BotFather, such as 123456:ABC-DEF.',
        isRequired: true,
        shape: { pattern: /^\d+:[\w-]+$/, message: 'must be a token of a bot, such as 123456:ABC-DEF' },
        example: '123456:ABC-DEF',
      },
      chatId: {
        label: 'Chat ID',
        hint: 'A number, negative for groups, or @ and the name of a public channel.',
        isRequired: true,
        shape: { pattern: /^(-?\d+|@\w+)$/, message: 'must be a number or @ and the name of a channel' },
        example: '-1001234567890',
      },
    },
  },
} as const satisfies Format;
