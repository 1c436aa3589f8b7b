import { clip, clipLine } from '../clip';
import type { Message, Urgency } from '../message';

/** Pushover allows 250 characters in a title, 1024 in a message, 512 in a URL and 100 in its title. */
const MAX_TITLE = 250;
const MAX_TEXT = 500;
const MAX_VALUE = 80;
const MAX_URL = 512;

/** 1 ignores quiet hours; 2 would repeat until somebody confirms it in the app. */
const PRIORITIES: Record<Urgency, number> = { critical: 1, major: 1, minor: 0, none: 0 };

/** The message for Pushover, without the keys of the application and the user. */
export function renderPushover({ urgency, title, text, facts, at, ...links }: Message): object {
  // It has one link. The page that acknowledges an incident has one to the incident.
  const link = links.acknowledge ?? links.link;
  const details = facts.map(({ label, value }) => `${label}: ${clipLine(value, MAX_VALUE)}`);
  const lines = [...(text === '' ? [] : [clip(text, MAX_TEXT)]), ...details];
  return {
    title: clipLine(title, MAX_TITLE),
    message: lines.join('\n') || '–',
    priority: PRIORITIES[urgency],
    timestamp: Math.floor(at.getTime() / 1000),
    ...(link && link.url.length <= MAX_URL ? { url: link.url, url_title: link.label } : {}),
  };
}
