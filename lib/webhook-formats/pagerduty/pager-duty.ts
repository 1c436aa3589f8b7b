import type { Format } from '../format';
import { renderPagerDuty } from './render-pager-duty';

/** Version 2 of the Events API. */
export const pagerduty = {
  label: 'PagerDuty',
  hint: 'Alerts for a PagerDuty service, resolved with their incidents.',
  documentation:
    'an alert in PagerDuty for each incident, through the Events API v2, with the `routingKey` of an integration. It is triggered when the incident is created, gets a log entry for each update, and is acknowledged and resolved with the incident. With `monitor.*`, it is one alert for each monitor instead, which `incident.acknowledged` does not acknowledge. A test opens an alert with the severity `info`, which you resolve yourself. Acknowledging an alert in PagerDuty does not acknowledge its incident.',
  reader: 'alerts',
  events: ['incidents', 'acknowledgements'],
  render: renderPagerDuty,
  account: {
    url: 'https://events.pagerduty.com/v2/enqueue',
    credentials: {
      routingKey: {
        label: 'Integration key',
        hint: 'Of an Events API V2 integration of the service.',
        isRequired: true,
        example: '01234567890123456789012345678901',
      },
    },
  },
  address: ({ body }, { routingKey }) => ({
    body: JSON.stringify({ routing_key: routingKey, ...JSON.parse(body) }),
  }),
} as const satisfies Format;
