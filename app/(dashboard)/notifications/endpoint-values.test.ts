import { expect, it } from 'vitest';
import { parseInput } from '@/lib/schemas/validation';
import { EVENT_KINDS } from '@/lib/schemas/webhooks/event-kinds';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { endpointValues, initialValues, readEndpointForm } from './endpoint-values';

const URLS = { pagerduty: 'https://events.pagerduty.com/v2/enqueue' };

/** The form data that a browser sends for these values. */
function formData({ events, enabled, acknowledgeLinks, ...values }: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.set(name, value);
  for (const event of events?.split(',').filter((each) => each !== '') ?? []) form.append('events', event);
  if (enabled === 'on') form.set('enabled', 'on');
  if (acknowledgeLinks === 'on') form.set('acknowledgeLinks', 'on');
  return form;
}

const read = (changes: Record<string, string>) =>
  parseInput(
    createWebhookSchema,
    readEndpointForm(formData({ ...initialValues(), url: 'https://a.test/', ...changes })),
  );

it('opens a new form with the defaults of the API', () => {
  expect(read({})).toEqual(parseInput(createWebhookSchema, { url: 'https://a.test/' }));
  expect(read({}).events).toEqual([...EVENT_KINDS]);
});

it('submits what the form shows', () => {
  const endpoint = {
    url: 'https://b.test/',
    description: 'Bot',
    format: 'slack' as const,
    events: ['monitor.up' as const],
    rules: [{ tags: ['shop'], monitors: [], severities: [], kinds: [], schedule: null }],
    credentials: {},
    headers: {},
    template: null,
    acknowledgeLinks: false,
    enabled: false,
  };
  // The form does not show a ref, and an update keeps it.
  expect(read(endpointValues(endpoint))).toEqual({ ...endpoint, ref: null });
});

it('submits the credentials of the format, and none for the address of the product', () => {
  const credentials = { routingKey: 'routing-key-1' };
  const values = {
    ...endpointValues({ ...read({}), url: URLS.pagerduty, format: 'pagerduty', credentials }),
  };
  expect(values).toMatchObject({ url: '', 'credentials.routingKey': 'routing-key-1' });
  expect(read(values)).toMatchObject({ url: URLS.pagerduty, format: 'pagerduty', credentials });
  expect(read({ ...values, format: 'slack', url: 'https://a.test/' }).credentials).toEqual({});
  expect(() => read({ format: 'pagerduty' })).toThrow('credentials.routingKey');
});

it('rejects an endpoint without events at that field', () => {
  expect(() => read({ events: '' })).toThrow('events');
});
