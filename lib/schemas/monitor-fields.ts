import { z } from 'zod';
import { CHECK_TYPES, MONITOR_TYPES } from '@/lib/checks/types';
import { headersSchema } from './headers';
import { isRegionId, REGION_IDS, type RegionId } from './regions';
import { idText, MAX_SENT, storable, text } from './text';

export const MONITOR_STATUSES = ['operational', 'degraded', 'down', 'pending'] as const;
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
/** Of one monitor. */
export const MOST_TAGS = 20;
export const INTERVALS = [30, 60, 120, 180, 300] as const;

const MAX_BODY_BYTES = 64 * 1024;
const whole = (minimum: number, maximum: number) =>
  z
    .int('must be a whole number')
    .min(minimum, `must be at least ${minimum}`)
    .max(maximum, `must be at most ${maximum}`);

/** More than there are, so that one that is named twice is said to be. */
const MAX_REGIONS = 50;

const regionsSchema = z
  .array(idText('must be a string'), 'must be an array of region ids')
  .max(MAX_REGIONS, { error: `must name at most ${MAX_REGIONS} regions`, abort: true })
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

const bodySchema = storable(z.string('must be a string or null').max(MAX_SENT))
  .refine((body) => new TextEncoder().encode(body).length <= MAX_BODY_BYTES, 'must be at most 64 KiB')
  .nullable();

/** The fields that a caller sets, without defaults. */
export const monitorFields = {
  name: text(1, 100).meta({ description: 'Display name' }),
  url: text(1, 2048).meta({
    description: `What to check, by type: ${MONITOR_TYPES.map((type) => `${type}, ${CHECK_TYPES[type].target.shape}`).join('; ')}`,
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
    .max(MOST_TAGS, `must hold at most ${MOST_TAGS} tags`)
    .refine((tags) => new Set(tags).size === tags.length, 'must not repeat a tag'),
  ref: text(1, 200).nullable().meta({ description: "The caller's own id, unique in the organization" }),
  enabled: z.boolean('must be true or false'),
};

export const monitorDefaults = {
  type: 'http',
  method: 'GET',
  interval: 60,
  timeout: 30,
  expectedStatusCode: 200,
  headers: {},
  body: null,
  regions: ['us-east'] as RegionId[],
  alertThreshold: 3,
  recoveryThreshold: 1,
  degradedThreshold: 5000,
  followRedirects: true,
  keyword: null,
  tlsVerify: true,
  tlsExpiryDays: null,
  tags: [] as string[],
  ref: null,
  enabled: true,
} satisfies Partial<MonitorConfig>;

export const settableSchema = z.strictObject(monitorFields);

/** All that a caller decides about a monitor. */
export type MonitorConfig = z.output<typeof settableSchema> & { regions: RegionId[] };

/** The fields that depend on each other. */
type Interdependent = Pick<MonitorConfig, 'type' | 'url' | 'method' | 'body'>;

const interdependent = z.object({
  type: monitorFields.type.default(monitorDefaults.type),
  url: monitorFields.url,
  method: monitorFields.method.default(monitorDefaults.method),
  body: monitorFields.body.default(monitorDefaults.body),
});

/** A field that does not fit the others. */
type Conflict = { path: 'url' | 'body'; message: string };

/** Fields that are right alone and wrong together; the same rules for a new monitor and a changed one. */
export function findConflicts({ type, url, method, body }: Interdependent): Conflict[] {
  const conflicts: Conflict[] = [];
  const { parse, shape } = CHECK_TYPES[type].target;
  if (parse(url) === null)
    conflicts.push({ path: 'url', message: `must be ${shape} for a monitor of type ${type}` });
  if (body !== null && (method === 'GET' || method === 'HEAD')) {
    conflicts.push({ path: 'body', message: `must be null with method ${method}` });
  }
  return conflicts;
}

/** The same for what a caller sent: nothing is said where one of these fields is wrong by itself. */
export function findConflictsIn(value: unknown): Conflict[] {
  const parsed = interdependent.safeParse(value);
  return parsed.success ? findConflicts(parsed.data) : [];
}
