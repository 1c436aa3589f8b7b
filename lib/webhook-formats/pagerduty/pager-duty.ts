import { clip, clipLine } from '../clip';
import type { Format } from '../format';
import type { Alert, Urgency } from '../message';

/** Version 2 of the Events API. */
export const pagerduty = {
  label: 'PagerDuty',
  hint: 'Alerts for a PagerDuty service, resolved with their incidents.',
  documentation:
    'an alert in PagerDuty for each incident, through the Events API v2, with the `routingKey` of an integration. It is triggered when the incident is created, gets a log entry for each update, and is acknowledged and resolved with the incident. With `monitor.*`, it is one alert for each monitor instead, which `incident.acknowledged` does not acknowledge. A test opens an alert with the severity `info`, which you resolve yourself. Acknowledging an alert in PagerDuty does not acknowledge its incident.',
  group: 'on-call',
  mark: { letters: 'PD', color: '#03701D' },
  steps: [
    'In PagerDuty, open the service that is to be alerted, and its Integrations tab.',
    'Add an integration of the type Events API V2.',
    'Copy its integration key.',
  ],
  reader: 'alerts',
  events: ['incidents', 'acknowledgements'],
  render: renderPagerDuty,
  account: {
    url: 'https://events.pagerduty.com/v2/enqueue',
    credentials: {
      routingKey: {
        label: 'Integration key',
        hint: 'From an Events API v2 integration of the service.',
        isRequired: true,
        example: '01234567890123456789012345678901',
      },
    },
  },
  address: ({ body }, { routingKey }) => ({
    body: JSON.stringify({ routing_key: routingKey, ...JSON.parse(body) }),
  }),
} as const satisfies Format;

/** PagerDuty allows 1024 characters in a summary, and 512 KB in an event. */
const MAX_SUMMARY = 1024;
const MAX_TEXT = 5000;
const MAX_VALUE = 300;

const SEVERITIES: Record<Urgency, string> = {
  critical: 'critical',
  major: 'error',
  minor: 'warning',
  none: 'info',
};

const ACTIONS = { open: 'trigger', acknowledged: 'acknowledge', over: 'resolve' } as const;

/**
 * The event for version 2 of PagerDuty's Events API, without the routing key. Further events of an alert that is open are added to
 * its log and notify nobody again.
 */
function renderPagerDuty({ event, stage, subject, message, appUrl }: Alert): object {
  if (stage !== 'open') return { event_action: ACTIONS[stage], dedup_key: subject.id };
  const { urgency, title, text, facts, link, at } = message;
  const service = appUrl === null ? 'Pharos' : new URL(appUrl).host;
  const source = subject.type === 'monitor' ? subject.name : service;
  const details = facts.map(({ label, value }) => [label, clipLine(value, MAX_VALUE)]);
  return {
    event_action: ACTIONS[stage],
    dedup_key: subject.id,
    payload: {
      summary: clipLine(title, MAX_SUMMARY),
      source: clipLine(source, MAX_VALUE),
      severity: SEVERITIES[urgency],
      timestamp: at.toISOString(),
      class: event,
      custom_details: {
        ...(text === '' ? {} : { Description: clip(text, MAX_TEXT) }),
        ...Object.fromEntries(details),
      },
    },
    client: 'Pharos',
    ...(link ? { client_url: link.url, links: [{ href: link.url, text: link.label }] } : {}),
  };
}
