import { clip, clipLine, type Escape, escapeEntities } from '../clip';
import type { Format } from '../format';
import type { Message, Tone } from '../message';
import { editTelegram } from './edit-telegram';

/** The Bot API. */
export const telegram = {
  label: 'Telegram',
  hint: 'Messages from a Telegram bot to a chat.',
  documentation:
    'a message of the bot with this `token` to the chat with this `chatId`, which is edited. It mentions nobody.',
  group: 'chat',
  mark: { letters: 'Tg', color: '#1A6C9C' },
  steps: [
    'In Telegram, send /newbot to @BotFather, and copy the token that it returns.',
    'Add the bot to the group that is to be notified, and write a message there.',
    'Open https://api.telegram.org/bot<token>/getUpdates with your token: the chat ID is the id of the chat of that message.',
  ],
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

/** Telegram allows 4096 characters after entities are parsed. */
const MAX_TITLE = 200;
const MAX_TEXT = 2500;
const MAX_VALUE = 200;

const SIGNS: Record<Tone, string> = { good: '🟢', slow: '🟡', bad: '🔴', neutral: '🔔' };
/** What a mention, a command or a hashtag begins with: an invisible character disables it. */
const REFERENCE = /(?<![\w/])[@/#](?=\w)/g;

const escapeText: Escape = (text) => escapeEntities(text.replace(REFERENCE, '$&\u200b'));

/** The message for `sendMessage` of a Telegram bot, without the chat. It mentions nobody. */
function renderTelegram({ tone, title, text, facts, link, acknowledge }: Message): object {
  // Not buttons, which Telegram refuses for hosts without a dot.
  const links = [acknowledge, link].flatMap((to) =>
    to ? [`<a href="${escapeEntities(to.url)}">${to.label}</a>`] : [],
  );
  const details = facts.map(
    ({ label, value }) => `<b>${label}:</b> ${clipLine(value, MAX_VALUE, escapeText)}`,
  );
  const lines = [
    `${SIGNS[tone]} <b>${clipLine(title, MAX_TITLE, escapeText)}</b>`,
    ...(text === '' ? [] : [clip(text, MAX_TEXT, escapeText)]),
    ...details,
    ...(links.length === 0 ? [] : [links.join(' · ')]),
  ];
  return { text: lines.join('\n'), parse_mode: 'HTML', link_preview_options: { is_disabled: true } };
}
