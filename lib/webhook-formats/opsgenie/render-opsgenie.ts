import { clip, clipLine } from '../clip';
import type { Alert, Urgency } from '../message';

/** Opsgenie allows 130 characters in a message, 15,000 in a description, 25,000 in a note, and 20 tags of 50. */
const MAX_MESSAGE = 130;
const MAX_TEXT = 5000;
const MAX_VALUE = 300;
const MAX_TAG = 50;
const MAX_TAGS = 20;

const PRIORITIES: Record<Urgency, string> = { critical: 'P1', major: 'P2', minor: 'P3', none: 'P5' };

/**
 * The body for Opsgenie's Alert API: an alert, or a note for acknowledging or closing it. Creating an alert that is open counts it and adds the note,
 * so an update reaches also those whose endpoint was added later.
 */
export function renderOpsgenie({ event, stage, subject, message }: Alert): object {
  const { urgency, title, text, facts, link } = message;
  const note = [title, text].filter((part) => part !== '').join('\n');
  if (stage !== 'open') return { source: 'Pharos', note: clip(note, MAX_TEXT) };
  const details = facts.map(({ label, value }) => [label, clipLine(value, MAX_VALUE)]);
  const tags = subject.type === 'monitor' ? subject.tags : [];
  return {
    message: clipLine(title, MAX_MESSAGE),
    alias: subject.id,
    description: clip([text, link?.url ?? ''].filter((part) => part !== '').join('\n\n'), MAX_TEXT),
    ...(tags.length === 0 ? {} : { tags: tags.slice(0, MAX_TAGS).map((tag) => clipLine(tag, MAX_TAG)) }),
    details: Object.fromEntries(details),
    ...(subject.type === 'monitor' ? { entity: clipLine(subject.name, MAX_VALUE) } : {}),
    source: 'Pharos',
    priority: PRIORITIES[urgency],
    ...(event === 'incident.updated' ? { note: clip(note, MAX_TEXT) } : {}),
  };
}
