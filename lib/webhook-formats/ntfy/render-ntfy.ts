import { clip, clipLine } from '../clip';
import type { Message, Tone, Urgency } from '../message';

/** ntfy turns a message of more than 4096 bytes into an attachment: these stay below it with four-byte characters. */
const MAX_TITLE = 200;
const MAX_TEXT = 500;
const MAX_VALUE = 80;

/** From 1, lowest, to 5, which also rings longer; 3 is the default. */
const PRIORITIES: Record<Urgency, number> = { critical: 5, major: 4, minor: 3, none: 3 };
/** Short codes of emoji that ntfy shows before the title. */
const TAGS: Record<Tone, string> = {
  good: 'white_check_mark',
  slow: 'warning',
  bad: 'rotating_light',
  neutral: 'bell',
};

/** The message for ntfy as JSON, which is published to the root of a server, without the topic. */
export function renderNtfy({ tone, urgency, title, text, facts, link, acknowledge }: Message): object {
  return {
    title: clipLine(title, MAX_TITLE),
    message: formatLines(text, facts),
    priority: PRIORITIES[urgency],
    tags: [TAGS[tone]],
    ...(link ? { click: link.url } : {}),
    ...(acknowledge ? { actions: [{ action: 'view', ...acknowledge, clear: true }] } : {}),
  };
}

function formatLines(text: string, facts: Message['facts']): string {
  const details = facts.map(({ label, value }) => `${label}: ${clipLine(value, MAX_VALUE)}`);
  const lines = [...(text === '' ? [] : [clip(text, MAX_TEXT)]), ...details];
  return lines.join('\n') || '–';
}
