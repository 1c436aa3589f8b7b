import { z } from 'zod';
import { MONITOR_TYPES } from '@/lib/checks/types';
import { HIDDEN, listHiddenHeaders } from './hidden';
import {
  monitorDefaults as defaults,
  monitorFields as fields,
  findConflictsIn,
  METHODS,
  MONITOR_STATUSES,
  settableSchema,
} from './monitor-fields';
import { REGION_IDS } from './regions';
import { instantSchema } from './text';

type Conflict = ReturnType<typeof findConflictsIn>[number];

function conflictAt(path: Conflict['path'], body: unknown): Conflict | undefined {
  return findConflictsIn(body).find((conflict) => conflict.path === path);
}

/** Looked at also where other fields are wrong, so that the caller learns of everything at once. */
function withConflict(path: Conflict['path']) {
  const error = ({ input }: { input?: unknown }) => conflictAt(path, input)?.message;
  return { when: () => true, path: [path], error };
}

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
    regions: fields.regions.default(defaults.regions),
    alertThreshold: fields.alertThreshold.default(defaults.alertThreshold),
    recoveryThreshold: fields.recoveryThreshold.default(defaults.recoveryThreshold),
    degradedThreshold: fields.degradedThreshold.default(defaults.degradedThreshold),
    followRedirects: fields.followRedirects.default(defaults.followRedirects),
    keyword: fields.keyword.default(defaults.keyword),
    tlsVerify: fields.tlsVerify.default(defaults.tlsVerify),
    tlsExpiryDays: fields.tlsExpiryDays.default(defaults.tlsExpiryDays),
    tags: fields.tags.default(defaults.tags),
    ref: fields.ref.default(defaults.ref),
    enabled: fields.enabled.default(defaults.enabled),
  })
  .refine((body) => !conflictAt('url', body), withConflict('url'))
  .refine((body) => !conflictAt('body', body), withConflict('body'))
  .superRefine(({ headers, body }, context) => {
    const message = 'is hidden, and a new monitor has no stored value to keep; send the value itself';
    for (const name of listHiddenHeaders(headers)) {
      context.addIssue({ code: 'custom', path: ['headers', name], message });
    }
    if (body === HIDDEN) context.addIssue({ code: 'custom', path: ['body'], message });
  });

const ignored = z.unknown().optional();

/** The body of PUT /monitors/:id: any of the fields; the read-only ones of a fetched monitor are accepted and ignored. */
export const updateMonitorSchema = settableSchema
  .partial()
  .extend({
    id: ignored,
    status: ignored,
    lastCheckedAt: ignored,
    lastResponseTime: ignored,
    consecutiveFailures: ignored,
    uptimePercentage: ignored,
    maintenance: ignored,
    noDataSince: ignored,
    silentRegions: ignored,
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
      maintenance,
      noDataSince,
      silentRegions,
      createdAt,
      updatedAt,
      ...changes
    }) => changes,
  );

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
    maintenance: z.boolean().meta({
      description: 'Within a maintenance window: checks go on, nothing is told or counted',
    }),
    noDataSince: instantSchema.nullable().meta({
      description:
        'Set while no region delivers data: each one has no recent result, or no worker. One interval after the last result (after creation or resuming, if there was none). `status` keeps its last value, and the time counts as unknown. null while data arrives or the monitor is paused',
    }),
    silentRegions: z.array(z.enum(REGION_IDS)).meta({
      description:
        'Those of `regions` that deliver no data: no result within three intervals (or timeouts, if longer), or no worker for 60 seconds. The remaining regions decide the status',
    }),
  })
  .meta({ id: 'Monitor' });

export type Monitor = z.output<typeof monitorSchema>;
export type MonitorChanges = z.output<typeof updateMonitorSchema>;

/** The answer to a DELETE. */
export const messageSchema = z.strictObject({ message: z.string() }).meta({ id: 'Message' });
