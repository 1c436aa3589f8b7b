import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { WEBHOOK_FORMATS } from '@/lib/webhook-formats/formats';
import {
  deliveriesQuerySchema,
  deliveryDetailSchema,
  deliverySchema,
  endpointDeliveriesQuerySchema,
  recoveredSchema,
  recoverSchema,
  testPayloadSchema,
} from './delivery';
import { formatLogPlace, logQuerySchema } from './delivery-log';
import { EVENT_KINDS } from './event-kinds';
import { eventSchemas } from './events';
import {
  createWebhookSchema,
  newWebhookSchema,
  rotateSecretSchema,
  updateWebhookSchema,
  webhookSchema,
} from './webhook';

const url = 'https://hooks.example.com/a';

/** The errors of a value, as `field: message`; none if it is valid. */
function errorsOf(schema: z.ZodType, value: unknown): string[] {
  const { error } = schema.safeParse(value);
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

describe('a new endpoint', () => {
  it('gets every event in the standard format by default, and is enabled', () => {
    expect(createWebhookSchema.parse({ url: ` ${url} ` })).toEqual({
      url,
      description: '',
      rules: [],
      events: [
        'monitor.down',
        'monitor.up',
        'monitor.degraded',
        'incident.created',
        'incident.updated',
        'incident.acknowledged',
        'incident.resolved',
      ],
      format: 'standard',
      credentials: {},
      headers: {},
      template: null,
      acknowledgeLinks: true,
      ref: null,
      enabled: true,
    });
  });

  const CHATS = ['slack', 'discord', 'teams', 'mattermost', 'googlechat'];

  it.each([
    ...CHATS.map((format) => [format, ['incident.created', 'incident.updated', 'incident.resolved']]),
    ['alertmanager', ['monitor.down', 'monitor.up', 'monitor.degraded']],
  ])('with the format %s gets %j by default', (format, defaults) => {
    const parsed = createWebhookSchema.parse({ url, format });
    expect(parsed.format).toBe(format);
    expect(parsed.events).toEqual(defaults);
    const events = ['monitor.down', 'incident.created'];
    expect(createWebhookSchema.parse({ url, format, events }).events).toEqual(events);
  });

  it.each([
    [{}, 'url: is required with this format'],
    [{ url: 7 }, 'url: must be a string'],
    [{ url: 'ftp://a.test' }, 'url: must be an http or https URL without a username or password'],
    [{ url: 'https://me:pw@a.test' }, 'url: must be an http or https URL without a username or password'],
    [{ url: `${url}/${'x'.repeat(2048)}` }, 'url: must be at most 2048 characters'],
    [{ url: 'https://hooks.example.com/[hidden]' }, 'url: is hidden: send the full URL'],
    [{ url, description: 'x'.repeat(501) }, 'description: must be at most 500 characters'],
    [{ url, events: 'monitor.up' }, 'events: must be an array of event names'],
    [{ url, events: [] }, 'events: must include at least one event'],
    [{ url, events: ['monitor.up', 'monitor.up'] }, 'events: must not contain duplicates'],
    [{ url, events: ['up'] }, `events.0: must be one of ${EVENT_KINDS.join(', ')}`],
    [{ url, format: 'email' }, `format: must be one of ${WEBHOOK_FORMATS.join(', ')}`],
    [{ url, enabled: 'yes' }, 'enabled: must be true or false'],
    [{ url, secret: 'mine' }, ': Unrecognized key: "secret"'],
  ])('of %j is refused', (body, error) => {
    expect(errorsOf(createWebhookSchema, body)).toEqual([error]);
  });

  it('with a flood of events is refused without an error for each', () => {
    const events = Array.from({ length: 51 }, () => 'monitor.up');
    expect(errorsOf(createWebhookSchema, { url, events })).toContain('events: must not contain duplicates');
  });
});

describe('a change of an endpoint', () => {
  it('ignores what cannot be set, so that what was fetched can be sent back', () => {
    const shown = {
      id: 'whk_1',
      url,
      status: 'active',
      version: 1,
      createdAt: '2026-03-01T12:00:00.000Z',
      enabled: false,
    };
    expect(updateWebhookSchema.parse(shown)).toEqual({ url, enabled: false });
  });

  it('may send back a hidden URL, but no unknown field', () => {
    expect(updateWebhookSchema.parse({ url: 'https://hooks.example.com/[hidden]' })).toHaveProperty('url');
    expect(errorsOf(updateWebhookSchema, { secret: 'mine' })).toEqual([': Unrecognized key: "secret"']);
  });
});

describe('the rotation of a secret', () => {
  it('takes 24 hours unless it is to be immediate', () => {
    expect(rotateSecretSchema.parse(undefined)).toEqual({ immediate: false });
    expect(rotateSecretSchema.parse({})).toEqual({ immediate: false });
    expect(rotateSecretSchema.parse({ immediate: true })).toEqual({ immediate: true });
    expect(errorsOf(rotateSecretSchema, { immediate: 1 })).toEqual(['immediate: must be true or false']);
    expect(errorsOf(rotateSecretSchema, { now: true })).toEqual([': Unrecognized key: "now"']);
  });
});

describe('a query of deliveries', () => {
  it.each(['pending', 'delivered', 'failed'])('can be for those that are %s', (status) => {
    expect(endpointDeliveriesQuerySchema.parse({ status })).toMatchObject({ status, limit: 50 });
    expect(deliveriesQuerySchema.parse({ status })).toMatchObject({ status, limit: 50 });
  });

  it('can be for one event, tests included, and for one endpoint', () => {
    const query = { event: 'webhook.test', webhook: 'whk_01jpa7k3q8f2v9x4m6t0r5w1ze' };
    expect(deliveriesQuerySchema.parse(query)).toMatchObject(query);
    expect(errorsOf(endpointDeliveriesQuerySchema, query)).toEqual([': Unrecognized key: "webhook"']);
  });

  it.each([
    [{ status: 'lost' }, 'status: must be one of pending, delivered, failed'],
    [{ event: 'up' }, `event: must be one of ${EVENT_KINDS.join(', ')}, webhook.test`],
    [{ webhook: 'mon_1' }, 'webhook: must be a webhook ID'],
    [{ webhook: 'whk_1/..' }, 'webhook: must be a webhook ID'],
    [{ webhook: 'a whk_1' }, 'webhook: must be a webhook ID'],
    [{ webhook: 'whk_' }, 'webhook: must be a webhook ID'],
    [{ page: '2' }, ': Unrecognized key: "page"'],
  ])('with %j is refused', (query, error) => {
    expect(errorsOf(deliveriesQuerySchema, query)).toEqual([error]);
  });

  it('recovers what failed since a time', () => {
    const since = '2026-03-01T12:00:00Z';
    expect(recoverSchema.parse({ since })).toEqual({ since: new Date(since), dryRun: false });
    expect(errorsOf(recoverSchema, { since, until: since })).toEqual([': Unrecognized key: "until"']);
  });
});

describe('the address of the delivery log', () => {
  it('contains the status shown and where the page begins', () => {
    const after = { group: 'failed' as const, at: new Date('2026-03-01T12:00:00.000Z'), tie: 7 };
    expect(logQuerySchema.parse({ status: 'pending', after: formatLogPlace(after) })).toEqual({
      status: 'pending',
      after,
    });
  });

  it('shows everything from the start if it is wrong or says nothing', () => {
    const start = { status: undefined, after: null };
    for (const query of [{}, { status: 'lost', after: 'here' }])
      expect(logQuerySchema.parse(query)).toEqual(start);
  });
});

const AT = '2026-03-01T12:00:00.250Z';

/** The value with one more field in the object at this path, such as `details`. */
function withMore(value: object, path: string[]): object {
  const [name, ...rest] = path;
  if (name === undefined) return { ...value, more: 1 };
  const inner: unknown = Object.entries(value).find(([key]) => key === name)?.[1];
  if (typeof inner !== 'object' || inner === null) throw new Error(`no object at ${name}`);
  return { ...value, [name]: withMore(inner, rest) };
}

describe('an event', () => {
  const monitor = { id: 'mon_1', name: 'Checkout', url: 'https://a.test', type: 'http', ref: null, tags: [] };
  const response = { responseTime: 182, statusCode: 503, region: 'us-east' };
  const errorMessage = 'responded with 503';
  const incident = {
    id: 'inc_1',
    title: 'Payments fail',
    description: '',
    status: 'identified',
    severity: 'major',
    affectedMonitors: ['mon_1'],
    affectedComponents: [],
    impacts: {},
  };
  const { id, severity, status } = incident;
  const details = { ...response, consecutiveFailures: 3, errorMessage };
  const events = [
    {
      event: 'monitor.down',
      causedBy: null,
      timestamp: AT,
      monitor,
      incident: { id, severity, status },
      details,
    },
    { event: 'monitor.up', timestamp: AT, monitor, incident: null, details: { ...response, downtime: '5m' } },
    {
      event: 'monitor.degraded',
      causedBy: null,
      timestamp: AT,
      monitor,
      incident: { id },
      details: { ...response, errorMessage: null },
    },
    { event: 'incident.created', causedBy: null, timestamp: AT, incident },
    {
      event: 'incident.updated',
      timestamp: AT,
      incident: { ...incident, previousStatus: 'investigating', message: 'Found' },
    },
    {
      event: 'incident.acknowledged',
      timestamp: AT,
      incident: { ...incident, acknowledgedAt: AT },
      acknowledgedBy: { name: 'ada@example.com' },
      via: null,
    },
    { event: 'incident.resolved', timestamp: AT, incident: { ...incident, resolvedAt: AT, duration: '5m' } },
  ] as const;

  it.each(events)('$event has exactly the documented fields', (content) => {
    const event = { id: 'evt_1', ...content };
    const schema: z.ZodType = eventSchemas[event.event];
    expect(schema.parse(event)).toEqual(event);
    for (const path of [[], ['monitor'], ['incident'], ['details'], ['acknowledgedBy']]) {
      if (path[0] !== undefined && !Object.entries(event).some(([name, value]) => name === path[0] && value))
        continue;
      expect(errorsOf(schema, withMore(event, path))).toEqual([`${path.join()}: Unrecognized key: "more"`]);
    }
    expect(errorsOf(schema, { ...event, event: 'other' })).toHaveLength(1);
  });
});

describe('what the API returns', () => {
  const webhook = {
    id: 'whk_1',
    url,
    description: '',
    events: ['monitor.up'],
    rules: [],
    format: 'slack',
    enabled: true,
    status: 'active',
    failingSince: null,
    autoDisabledAt: null,
    rotationEndsAt: AT,
    credentials: {},
    headers: {},
    template: null,
    acknowledgeLinks: true,
    ref: 'pager',
    version: 1,
    createdAt: AT,
    updatedAt: AT,
  };
  const delivery = {
    id: 'del_1',
    event: 'webhook.test',
    webhookId: 'whk_1',
    status: 'failed',
    reason: 'exhausted',
    subject: { type: 'monitor', id: 'mon_1', name: 'Shop', deleted: false },
    attempts: 6,
    nextAttemptAt: null,
    nextAttempt: { number: 3, of: 6 },
    manualAttemptAt: null,
    createdAt: AT,
    settledAt: AT,
    lastAttemptAt: AT,
    lastStatusCode: 500,
    lastError: 'responded with 500, expected 2xx',
  };
  const attempt = {
    id: 'att_1',
    attempt: 1,
    manual: false,
    startedAt: AT,
    finishedAt: AT,
    duration: 12,
    statusCode: 500,
    responseHeaders: { server: 'a' },
    responseBody: 'no',
    error: 'responded with 500',
    request: { method: 'POST', url, headers: { 'webhook-id': 'del_1' }, body: '{}' },
    response: { status: 500, headers: null, body: null },
  };
  const detail = { ...delivery, payload: { event: 'webhook.test' }, payloadText: '{}', tries: [attempt] };
  const secret = { ...webhook, secret: 'whsec_a' };
  const payload = { id: 'evt_1', event: 'webhook.test', timestamp: AT, webhook: { id: 'whk_1', url } };

  it.each<[string, z.ZodType, object]>([
    ['an endpoint', webhookSchema, webhook],
    ['an endpoint that fails', webhookSchema, { ...webhook, status: 'failing' }],
    ['an endpoint that is disabled', webhookSchema, { ...webhook, status: 'disabled' }],
    ['an endpoint with its new secret', newWebhookSchema, secret],
    ['a delivery', deliverySchema, delivery],
    ['a delivery with its attempts', deliveryDetailSchema, detail],
    ['the number of recovered deliveries', recoveredSchema, { queued: 3 }],
    ['the payload of a test', testPayloadSchema, payload],
  ])('as %s has exactly the documented fields', (_, schema, value) => {
    expect(schema.parse(value)).toEqual(value);
    expect(errorsOf(schema, withMore(value, []))).toEqual([': Unrecognized key: "more"']);
  });

  it('has IDs and secrets of the documented form, and numbers that can occur', () => {
    const wrong: [z.ZodType, object, string][] = [
      [webhookSchema, { ...webhook, id: 'a whk_1' }, 'id'],
      [newWebhookSchema, { ...secret, secret: 'a whsec_a' }, 'secret'],
      [deliverySchema, { ...delivery, id: 'a del_1' }, 'id'],
      [deliveryDetailSchema, { ...detail, tries: [{ ...attempt, id: 'a att_1' }] }, 'tries.0.id'],
      [deliveryDetailSchema, { ...detail, tries: [{ ...attempt, attempt: 0 }] }, 'tries.0.attempt'],
      [recoveredSchema, { queued: -1 }, 'queued'],
    ];
    for (const [schema, value, field] of wrong) {
      expect(errorsOf(schema, value)).toEqual([expect.stringMatching(`^${field}: `)]);
    }
    const later = { ...detail, tries: [{ ...attempt, attempt: 2 }] };
    expect(errorsOf(deliveryDetailSchema, later)).toEqual([]);
  });
});
