import { z } from 'zod';
import type { Format } from '../format';
import { stageOf } from '../message';
import { renderOpsgenie } from './render-opsgenie';

/** The Alert API. */
export const opsgenie = {
  label: 'Opsgenie',
  hint: 'Alerts for Opsgenie, closed with their incidents.',
  documentation:
    'an alert in Opsgenie for each incident, with the `apiKey` of an API integration, as in PagerDuty. Alerts have the priorities P1 to P3, tests P5, and an update adds a note. For the EU, set `url` to `https://api.eu.opsgenie.com/v2/alerts`.',
  reader: 'alerts',
  events: ['incidents', 'acknowledgements'],
  render: renderOpsgenie,
  account: {
    url: 'https://api.opsgenie.com/v2/alerts',
    credentials: {
      apiKey: {
        label: 'API key',
        hint: 'Of an API integration that may create and update alerts.',
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
