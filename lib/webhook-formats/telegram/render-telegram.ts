import { clip, clipLine, type Escape, escapeEntities } from '../clip';
import type { Message, Tone } from '../message';

/** Telegram allows 4096 characters after entities are parsed. */
const MAX_TITLE = 200;
const MAX_TEXT = 2500;
const MAX_VALUE = 200;

const SIGNS: Record<Tone, string> = { good: '🟢', slow: '🟡', bad: '🔴', neutral: '🔔' };
/** What a mention, a command or a hashtag begins with: an invisible character disables it. */
const REFERENCE = /(?<![\w/])[@/#](?=\w)/g;

const escapeText: Escape = (text) => escapeEntities(text.replace(REFERENCE, '$&\u200b'));

/** The message for `sendMessage` of a Telegram bot, without the chat. It mentions nobody. */
export function renderTelegram({ tone, title, text, facts, link, acknowledge }: Message): object {
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
