import type { WebhookFormat } from '@/lib/schemas/webhooks/webhook';
import { clip, clipLine, type Escape } from './clip';
import { COLORS, type Message, toMessage, type WebhookEvent } from './message';
import { renderSlack } from './slack';
import { renderTeams } from './teams';

/**
 * Discord allows 256 characters in a title, 4096 in a description and 1024 in a value, but 6000 in total: these limits fit
 * five facts.
 */
const MAX_TITLE = 256;
const MAX_TEXT = 4000;
const MAX_VALUE = 300;
/** Characters of Markdown, mentions, emoji and links; at the start of a line also those of lists and headings. */
const MARKUP = /[\\*_~`|<>[\]@]|:(?=\S)|^[-+#]/gm;
/** Values up to this length are shown in columns. */
const MAX_INLINE = 40;

const escapeMarkdown: Escape = (text) => text.replace(MARKUP, '\\$&');

const RENDERERS: Record<Exclude<WebhookFormat, 'standard'>, (message: Message) => object> = {
  slack: renderSlack,
  discord: renderDiscord,
  teams: renderTeams,
};

/** The exact body for an endpoint's format; null for the standard format, which sends the payload itself. */
export function renderBody(format: WebhookFormat, event: WebhookEvent, appUrl: string | null): string | null {
  if (format === 'standard') return null;
  return JSON.stringify(RENDERERS[format](toMessage(event, appUrl)));
}

/** The body for a Discord webhook: one embed. Mentions in the texts are disabled. */
function renderDiscord({ tone, title, text, facts, link, at }: Message): object {
  return {
    embeds: [
      {
        title: clipLine(title, MAX_TITLE, escapeMarkdown),
        ...(link ? { url: link.url } : {}),
        ...(text === '' ? {} : { description: clip(text, MAX_TEXT, escapeMarkdown) }),
        color: Number.parseInt(COLORS[tone].slice(1), 16),
        fields: facts.map(({ label, value }) => ({
          name: label,
          value: clipLine(value, MAX_VALUE, escapeMarkdown),
          inline: value.length <= MAX_INLINE,
        })),
        timestamp: at.toISOString(),
      },
    ],
    allowed_mentions: { parse: [] },
  };
}
