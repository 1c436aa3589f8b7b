import type { WebhookFormat } from '@/lib/schemas/webhook';
import { clip, clipLine, type Escape } from './clip';
import { describeTold, type Message, type Told, type Tone } from './message';
import { renderSlack } from './slack';
import { renderTeams } from './teams';

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

const escapeMarkdown: Escape = (text) => text.replace(MARKUP, '\\$&');

const RENDERERS: Record<Exclude<WebhookFormat, 'standard'>, (message: Message) => object> = {
  slack: renderSlack,
  discord: renderDiscord,
  teams: renderTeams,
};

/** What an endpoint of a format is sent instead of the payload, to the byte; null in the standard format: the payload itself. */
export function renderBody(format: WebhookFormat, told: Told, appUrl: string | null): string | null {
  if (format === 'standard') return null;
  return JSON.stringify(RENDERERS[format](describeTold(told, appUrl)));
}

/** The body of a Discord webhook: one embed. Nobody is mentioned, whatever the texts say. */
function renderDiscord({ tone, title, text, facts, link, at }: Message): object {
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
