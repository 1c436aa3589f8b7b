import { z } from 'zod';
import { clip, clipLine } from '../clip';
import type { Format } from '../format';
import { type Alert, stageOf, type Urgency } from '../message';

/** The Alert API. */
export const opsgenie = {
  label: 'Opsgenie',
  hint: 'Alerts for Opsgenie, closed with their incidents.',
  documentation:
    'an alert in Opsgenie for each incident, with the `apiKey` of an API integration, as in PagerDuty. Alerts have the priorities P1 to P3, tests P5, and an update adds a note. For the EU, set `url` to `https://api.eu.opsgenie.com/v2/alerts`.',
  group: 'on-call',
  mark: { letters: 'Og', color: '#0F4FC4' },
  steps: [
    'In Opsgenie, open Settings, then Integrations, and add an API integration.',
    'Let it create and update alerts, assign it to the team that is to be alerted, and turn it on.',
    'Copy its API key. In the EU, the URL is https://api.eu.opsgenie.com/v2/alerts.',
  ],
  reader: 'alerts',
  events: ['incidents', 'acknowledgements'],
  render: renderOpsgenie,
  account: {
    url: 'https://api.opsgenie.com/v2/alerts',
    credentials: {
      apiKey: {
        label: 'API key',
        hint: 'From an API integration that can create and update alerts.',
        isRequired: true,
        example: '01234567-89ab-cdef-0123-456789abcdef',
      },
    },
  },
  address: ({ url, event }, { apiKey }) => ({
    url: addressAlert(url, event),
    headers: { Authorization: `GenieKey ${apiKey}` },
  }),
} as const satisfies Format;

/** What a stored payload of any version says about its alert. */
const alertSchema = z.object({
  event: z.string(),
  monitor: z.object({ id: z.string() }).optional(),
  incident: z.object({ id: z.string() }).nullish(),
});

/** An alert is created at the URL of the endpoint, and acknowledged and closed below it. */
function addressAlert(url: string, payload: string): string {
  const { event, monitor, incident } = alertSchema.parse(JSON.parse(payload));
  const stage = stageOf(event);
  if (stage === 'open') return url;
  const alias = monitor?.id ?? incident?.id ?? '';
  const address = new URL(url);
  const action = stage === 'over' ? 'close' : 'acknowledge';
  address.pathname = `${address.pathname.replace(/\/+$/, '')}/${encodeURIComponent(alias)}/${action}`;
  address.searchParams.set('identifierType', 'alias');
  return address.href;
}

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
function renderOpsgenie({ event, stage, subject, message }: Alert): object {
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
