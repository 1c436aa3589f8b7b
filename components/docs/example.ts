import { monitorDefaults } from '@/lib/schemas/monitor/fields';
import { type Components, refName, resolve, type Schema } from './openapi';

const MOMENT = '2027-03-14T09:26:53.589Z';
const RANDOM = '01jpa7k3q8f2v9x4m6t0r5w1ze';

/** Fields without a value in examples. */
const UNSET = [
  ...['error', 'errorCode', 'errorMessage', 'lastError', 'reason', 'expiresAt', 'revokedAt', 'resolvedAt'],
  ...['nextAttemptAt', 'manualAttemptAt', 'failingSince', 'autoDisabledAt', 'rotationEndsAt', 'endedAt'],
  ...['logoUrl', 'customDomain'],
];

/** Example values by field name, used if they match the schema. */
const SUGGESTIONS: Record<string, unknown> = {
  ...monitorDefaults,
  ...Object.fromEntries(UNSET.map((name) => [name, null])),
  name: 'Checkout API',
  url: 'https://shop.example.com/health',
  email: 'ada@example.com',
  invitedBy: 'grace@example.com',
  slug: 'acme',
  title: 'Slow checkout',
  description: 'Payments take longer than usual.',
  message: 'We found the cause and are working on a fix.',
  region: 'us-east',
  regions: ['us-east', 'eu-west'],
  statusCode: 200,
  lastStatusCode: 204,
  responseTime: 182,
  lastResponseTime: 182,
  uptimePercentage: 99.95,
  downtime: '12m',
  attempts: 1,
  duration: 96,
  events: ['monitor.down', 'monitor.up'],
  tags: ['shop'],
  monitors: [`mon_${RANDOM}`],
  affectedMonitors: [`mon_${RANDOM}`],
  webhookId: `whk_${RANDOM}`,
  hint: 'ph_live_7Gq…',
  apiKey: 'ph_live_7GqX2mT9bR4wK8nV1cZ6yD3fH5jL0pSaQ2eU4i',
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwTzZ5cGMp0bQ=',
  responseBody: 'ok',
  responseHeaders: { 'content-type': 'text/plain' },
  payload: { event: 'monitor.up' },
  payloadText: '{"event":"monitor.up"}',
  rule: 'quorum',
  checks: 1440,
  requestsPerMinute: 600,
  primaryColor: '#22c55e',
  backgroundColor: '#0a0a0a',
  textColor: '#fafafa',
};

const STATUS_PAGE = { name: 'Acme status', description: 'All Acme services.', published: true };
const WEBHOOK = { url: 'https://hooks.example.com/pharos', description: 'Paging' };

const MAINTENANCE = {
  title: 'Database upgrade',
  message: 'Short interruptions are possible.',
  startsAt: '2027-03-21T01:00:00.000Z',
  endsAt: '2027-03-21T03:00:00.000Z',
  rrule: 'FREQ=WEEKLY;BYDAY=SU',
  timeZone: 'Europe/Berlin',
};

const API_KEY = { name: 'Deployment' };

/** Values that override SUGGESTIONS, by operation tag, event kind or object name. */
const TOPICS: Record<string, Record<string, unknown>> = {
  'status-pages': STATUS_PAGE,
  StatusPage: STATUS_PAGE,
  CustomDomainStatus: { record: null, pointTo: null, checkedAt: null, verifiedAt: null },
  PublicStatusPage: STATUS_PAGE,
  webhooks: WEBHOOK,
  Webhook: WEBHOOK,
  NewWebhook: WEBHOOK,
  'api-keys': API_KEY,
  ApiKey: API_KEY,
  NewApiKey: API_KEY,
  key: API_KEY,
  organization: { name: 'Acme', plan: 'pro' },
  Delivery: { status: 'delivered' },
  DeliveryDetail: { status: 'delivered' },
  DeliveryRequest: {
    url: WEBHOOK.url,
    headers: {
      'Content-Type': 'application/json',
      'X-Service-Event': 'monitor.up',
      'X-Service-Attempt': '1',
    },
    body: '{"event":"monitor.up"}',
  },
  DeliveryResponse: { status: 200, headers: { 'content-type': 'text/plain' }, body: 'ok' },
  maintenance: MAINTENANCE,
  Maintenance: MAINTENANCE,
  MaintenanceOccurrence: MAINTENANCE,
  PublicMaintenance: MAINTENANCE,
  'monitor.down': {
    errorMessage: 'responded with 503, expected 200',
    statusCode: 503,
    consecutiveFailures: 3,
    severity: 'critical',
  },
  'monitor.degraded': { responseTime: 6240 },
  'incident.updated': { status: 'identified' },
  'incident.resolved': { status: 'resolved', duration: '12m' },
};

/** Optional fields to include in example requests. */
const SHOWN = ['interval', 'regions', 'tags', 'published', 'events', 'severity', 'scope', 'affectedMonitors'];
/** Without required fields, the first of these that exist. */
const CHANGED = ['name', 'title', 'status', 'enabled', 'published', 'overlapHours', 'immediate', 'url'];
const CHANGES = 2;

const PREFIXES: Record<string, string> = {
  monitor: 'mon',
  incident: 'inc',
  organization: 'org',
  key: 'key',
  webhook: 'whk',
  'status-page': 'sp',
  delivery: 'del',
};

/** An example ID for a type of object: `monitor`, `incidents`, … */
export function exampleId(of: string): string {
  const type = singular(of.toLowerCase().replace(/^api-/, ''));
  return `${PREFIXES[type] ?? 'obj'}_${RANDOM}`;
}

/** A complete value that matches the schema, for responses and events; `topic` is the event kind. */
export function exampleOf(schema: Schema, components: Components, topic = ''): unknown {
  return build(schema, { components, topic, name: '', parent: '', isRequest: false });
}

/** A valid request body: required fields and useful ones. `topic` is the tag of the operation. */
export function exampleRequest(schema: Schema, components: Components, topic = ''): unknown {
  return build(schema, { components, topic, name: '', parent: '', isRequest: true });
}

type Place = { components: Components; topic: string; name: string; parent: string; isRequest: boolean };

function build(given: Schema, place: Place): unknown {
  const schema = resolve(given, place.components);
  const known = [TOPICS[place.parent], TOPICS[place.topic], SUGGESTIONS]
    .filter((values) => values && place.name in values)
    .map((values) => values?.[place.name])
    .find((value) => fits(value, schema, place.components));
  if (known !== undefined) return known;
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return build(options[0] ?? {}, place);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.default ?? schema.enum[0] ?? null;
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'object' || schema.properties) return buildObject(schema, { ...place, given: refName(given) });
  if (type === 'array') return [build(schema.items ?? {}, { ...place, name: singular(place.name) })];
  if (schema.default !== undefined) return schema.default;
  if (type === 'boolean') return false;
  if (type === 'integer' || type === 'number') return nearestToZero(schema);
  if (type === 'string') return buildText(schema, place);
  return null;
}

function buildObject(schema: Schema, place: Place & { given: string | null }): Record<string, unknown> {
  const names = Object.keys(schema.properties ?? {});
  const required = schema.required ?? [];
  const wanted = place.isRequest ? pickRequested(names, required) : names;
  const parent = place.given ?? place.name;
  return Object.fromEntries(
    wanted.map((name) => [name, build(schema.properties?.[name] ?? {}, { ...place, name, parent })]),
  );
}

function pickRequested(names: string[], required: string[]): string[] {
  if (required.length > 0) return names.filter((name) => required.includes(name) || SHOWN.includes(name));
  const changed = CHANGED.filter((name) => names.includes(name)).slice(0, CHANGES);
  return changed.length > 0 ? changed : names;
}

function buildText({ format, pattern }: Schema, { name, parent }: Place): string {
  if (format === 'date-time') return MOMENT;
  if (format === 'date') return MOMENT.slice(0, 10);
  const prefix = /^\^([a-z]+_)/.exec(pattern ?? '')?.[1];
  if (prefix) return `${prefix}${RANDOM}`;
  return name === 'id' ? exampleId(parent) : 'text';
}

/** The allowed number that is closest to 0 from above. */
function nearestToZero({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: Schema): number {
  return Math.min(Math.max(0, minimum), maximum);
}

/** Whether a suggestion has the right type, and is one of the allowed values if they are listed. */
function fits(value: unknown, given: Schema, components: Components): boolean {
  const schema = resolve(given, components);
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return options.some((option) => fits(value, option, components));
  if (schema.const !== undefined) return schema.const === value;
  if (schema.enum) return schema.enum.includes(value);
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  if (value === null) return types.includes('null');
  if (Array.isArray(value)) {
    return types.includes('array') && value.every((item) => fits(item, schema.items ?? {}, components));
  }
  if (typeof value === 'string') return types.includes('string') && matches(value, schema);
  if (typeof value === 'object') return types.includes('object') && !schema.properties;
  return types.includes(typeof value) || (Number.isInteger(value) && types.includes('integer'));
}

function matches(value: string, { pattern, maxLength = Number.POSITIVE_INFINITY }: Schema): boolean {
  return value.length <= maxLength && (pattern === undefined || new RegExp(pattern).test(value));
}

function singular(name: string): string {
  return name.replace(/ies$/, 'y').replace(/s$/, '');
}
