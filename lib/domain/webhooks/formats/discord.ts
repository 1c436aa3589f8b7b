import { clip, clipLine, type Escape } from './clip';
import type { Message, Tone } from './message';

const COLOURS: Record<Tone, number> = { good: 0x2fa36f, slow: 0xd99411, bad: 0xd63d3d, neutral: 0x64748b };

/**
 * Discord takes 256 characters in a title, 4096 in a description and 1024 in a value, but 6000 in all: these leave room
 * for five facts.
 */
const TITLE = 256;
const TEXT = 4000;
const VALUE = 300;

/** What markdown, mentions, emoji and links are made of; at the start of a line also what lists and headings are. */
const MARKUP = /[\\*_~`|<>[\]@]|:(?=\S)|^[-+#]/gm;
/** Values up to this length stand beside each other. */
const SHORT = 40;

/** The body of a Discord webhook: one embed. Nobody is mentioned, whatever the texts say. */
export function renderDiscord({ tone, title, text, facts, link, at }: Message): object {
  return {
    embeds: [
      {
        title: clipLine(title, TITLE, escapeMarkdown),
        ...(link ? { url: link.url } : {}),
        ...(text === '' ? {} : { description: clip(text, TEXT, escapeMarkdown) }),
        color: COLOURS[tone],
        fields: facts.map(({ label, value }) => ({
          name: label,
          value: clipLine(value, VALUE, escapeMarkdown),
          inline: value.length <= SHORT,
        })),
        timestamp: at.toISOString(),
      },
    ],
    allowed_mentions: { parse: [] },
  };
}

const escapeMarkdown: Escape = (text) => text.replace(MARKUP, '\\$&');
