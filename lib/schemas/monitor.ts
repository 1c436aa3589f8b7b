import { z } from 'zod';
import { headersSchema } from './headers';
import { isRegionId, REGION_IDS, type RegionId } from './regions';
import { parseDnsTarget, parseHttpTarget, parsePingTarget, parseTcpTarget } from './targets';

export const MONITOR_TYPES = ['http', 'tcp', 'ping', 'dns'] as const;
export const MONITOR_STATUSES = ['operational', 'degraded', 'down', 'pending'] as const;
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
export const INTERVALS = [30, 60, 120, 180, 300] as const;

const MAX_BODY_BYTES = 64 * 1024;
const hasNul = (text: string) => text.includes('\0');

/** A text field: trimmed, without NUL (Postgres refuses it), of `minimum` to `maximum` characters. */
export const text = (minimum: number, maximum: number) =>
  z
    .string('must be a string')
    .trim()
    .min(minimum, minimum === 1 ? 'must not be empty' : `must be at least ${minimum} characters`)
    .max(maximum, `must be at most ${maximum} characters`)
    .refine((value) => !hasNul(value), 'must not contain NUL');

const whole = (minimum: number, maximum: number) =>
  z
    .int('must be a whole number')
    .min(minimum, `must be at least ${minimum}`)
    .max(maximum, `must be at most ${maximum}`);

const regionsSchema = z
  .array(z.string('must be a string'), 'must be an array of region ids')
  .min(1, 'must name at least one region')
  .superRefine((regions, context) => {
    regions.forEach((region, index) => {
      if (!isRegionId(region)) {
        const message = `unknown region; known are ${REGION_IDS.join(', ')}`;
        context.addIssue({ code: 'custom', path: [index], message, params: { errorCode: 'UNKNOWN_REGION' } });
      } else if (regions.indexOf(region) !== index) {
        context.addIssue({ code: 'custom', path: [index], message: 'is named twice' });
      }
    });
  })
  .transform((regions) => regions.filter(isRegionId));

const bodySchema = z
  .string('must be a string or null')
  .refine((body) => !hasNul(body), 'must not contain NUL')
  .refine((body) => new TextEncoder().encode(body).length <= MAX_BODY_BYTES, 'must be at most 64 KiB')
  .nullable();

/** The fields that a caller sets, without defaults. */
const fields = {
  name: text(1, 100).meta({ description: 'Display name' }),
  url: text(1, 2048).meta({
    description: 'URL or host to monitor: http a full URL, tcp host:port, ping and dns a host',
  }),
  type: z.enum(MONITOR_TYPES, `must be one of ${MONITOR_TYPES.join(', ')}`),
  method: z.enum(METHODS, `must be one of ${METHODS.join(', ')}`),
  interval: z.literal([...INTERVALS], `must be one of ${INTERVALS.join(', ')} (seconds)`),
  timeout: whole(1, 60).meta({ description: 'Seconds for the whole check' }),
  expectedStatusCode: whole(100, 599),
  headers: headersSchema,
  body: bodySchema,
  regions: regionsSchema,
  alertThreshold: whole(1, 10).meta({ description: 'Consecutive failures before alerting' }),
  recoveryThreshold: whole(1, 10).meta({ description: 'Consecutive good checks before recovery' }),
  degradedThreshold: whole(1, 60_000).meta({
    description: 'Milliseconds above which a check counts as slow',
  }),
  followRedirects: z.boolean('must be true or false'),
  keyword: text(1, 500).nullable().meta({ description: 'Text that the body must contain' }),
  tlsVerify: z.boolean('must be true or false'),
  tlsExpiryDays: whole(1, 365)
    .nullable()
    .meta({ description: 'Degraded when the certificate ends within so many days' }),
  tags: z
    .array(text(1, 50), 'must be an array of strings')
    .max(20, 'must hold at most 20 tags')
    .refine((tags) => new Set(tags).size === tags.length, 'must not repeat a tag'),
  ref: text(1, 200).nullable().meta({ description: "The caller's own id, unique in the organization" }),
  enabled: z.boolean('must be true or false'),
};

const defaults = {
  type: 'http',
  method: 'GET',
  interval: 60,
  timeout: 30,
  expectedStatusCode: 200,
  headers: {},
  body: null,
  regions: ['us-east'],
  alertThreshold: 3,
  recoveryThreshold: 1,
  degradedThreshold: 5000,
  followRedirects: true,
  keyword: null,
  tlsVerify: true,
  tlsExpiryDays: null,
  tags: [],
  ref: null,
  enabled: true,
} satisfies Partial<MonitorConfig>;

const settable = z.strictObject(fields);

/** All that a caller decides about a monitor. */
export type MonitorConfig = z.output<typeof settable> & { regions: RegionId[] };

/** The body of POST /monitors, defaults filled in, fields checked against each other. */
export const createMonitorSchema = z
  .strictObject({
    ...fields,
    type: fields.type.default(defaults.type),
    method: fields.method.default(defaults.method),
    interval: fields.interval.default(defaults.interval),
    timeout: fields.timeout.default(defaults.timeout),
    expectedStatusCode: fields.expectedStatusCode.default(defaults.expectedStatusCode),
    headers: fields.headers.default(defaults.headers),
    body: fields.body.default(defaults.body),
    regions: fields.regions.default([...defaults.regions] as RegionId[]),
    alertThreshold: fields.alertThreshold.default(defaults.alertThreshold),
    recoveryThreshold: fields.recoveryThreshold.default(defaults.recoveryThreshold),
    degradedThreshold: fields.degradedThreshold.default(defaults.degradedThreshold),
    followRedirects: fields.followRedirects.default(defaults.followRedirects),
    keyword: fields.keyword.default(defaults.keyword),
    tlsVerify: fields.tlsVerify.default(defaults.tlsVerify),
    tlsExpiryDays: fields.tlsExpiryDays.default(defaults.tlsExpiryDays),
    tags: fields.tags.default([...defaults.tags]),
    ref: fields.ref.default(defaults.ref),
    enabled: fields.enabled.default(defaults.enabled),
  })
  .check((context) => {
    for (const { path, message } of findConflicts(context.value)) {
      context.issues.push({ code: 'custom', path: [path], message, input: context.value });
    }
  });

const ignored = z.unknown().optional();

/** The body of PUT /monitors/:id: any of the fields; the read-only ones of a fetched monitor are accepted and ignored. */
export const updateMonitorSchema = settable
  .partial()
  .extend({
    id: ignored,
    status: ignored,
    lastCheckedAt: ignored,
    lastResponseTime: ignored,
    consecutiveFailures: ignored,
    uptimePercentage: ignored,
    createdAt: ignored,
    updatedAt: ignored,
  })
  .transform(
    ({
      id,
      status,
      lastCheckedAt,
      lastResponseTime,
      consecutiveFailures,
      uptimePercentage,
      createdAt,
      updatedAt,
      ...changes
    }) => changes,
  );

/** Fields that are right alone and wrong together; the same rules for a new monitor and a changed one. */
export function findConflicts(
  config: Pick<MonitorConfig, 'type' | 'url' | 'method' | 'body'>,
): { path: 'url' | 'body'; message: string }[] {
  const conflicts: { path: 'url' | 'body'; message: string }[] = [];
  const { valid, shape } = TARGETS[config.type];
  if (!valid(config.url))
    conflicts.push({ path: 'url', message: `must be ${shape} for a monitor of type ${config.type}` });
  if (
    config.type === 'http' &&
    config.body !== null &&
    (config.method === 'GET' || config.method === 'HEAD')
  ) {
    conflicts.push({ path: 'body', message: `must be null with method ${config.method}` });
  }
  return conflicts;
}

const TARGETS = {
  http: {
    valid: (url: string) => parseHttpTarget(url) !== null,
    shape: 'an http or https URL without user name or password',
  },
  tcp: {
    valid: (url: string) => parseTcpTarget(url) !== null,
    shape: 'host:port with a port from 1 to 65535',
  },
  ping: { valid: (url: string) => parsePingTarget(url) !== null, shape: 'a host name or an IP address' },
  dns: {
    valid: (url: string) => parseDnsTarget(url) !== null,
    shape: 'a host name or dns://resolver:port/name?type=MX',
  },
} as const;

/** A moment on the wire: ISO 8601, UTC, milliseconds. */
export const instantSchema = z.iso.datetime({ precision: 3 });

/** A monitor as the API answers it. */
export const monitorSchema = z
  .strictObject({
    id: z.string().regex(/^mon_/),
    name: z.string(),
    url: z.string(),
    type: z.enum(MONITOR_TYPES),
    method: z.enum(METHODS),
    interval: z.int(),
    timeout: z.int(),
    expectedStatusCode: z.int(),
    headers: z.record(z.string(), z.string()),
    body: z.string().nullable(),
    regions: z.array(z.enum(REGION_IDS)),
    alertThreshold: z.int(),
    enabled: z.boolean(),
    status: z.enum(MONITOR_STATUSES),
    lastCheckedAt: instantSchema.nullable(),
    lastResponseTime: z.int().nullable().meta({ description: 'Milliseconds of the last check' }),
    consecutiveFailures: z.int(),
    uptimePercentage: z.number().min(0).max(100),
    createdAt: instantSchema,
    updatedAt: instantSchema,
    degradedThreshold: z.int(),
    recoveryThreshold: z.int(),
    followRedirects: z.boolean(),
    keyword: z.string().nullable(),
    tlsVerify: z.boolean(),
    tlsExpiryDays: z.int().nullable(),
    tags: z.array(z.string()),
    ref: z.string().nullable(),
  })
  .meta({ id: 'Monitor' });

export type Monitor = z.output<typeof monitorSchema>;
export type MonitorChanges = z.output<typeof updateMonitorSchema>;

/** The answer to a DELETE. */
export const messageSchema = z.strictObject({ message: z.string() }).meta({ id: 'Message' });
