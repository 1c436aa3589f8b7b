import { z } from 'zod';
import type { CheckType } from '@/lib/checks/check-type';
import type { Protocol } from '@/lib/checks/tcp/protocols';
import { CHECK_TYPES, findCheckType, isCalled, isGroup } from '@/lib/checks/types';
import { described } from '@/lib/schemas/described';
import { regionIdSchema } from '@/lib/schemas/regions/region-id';
import {
  changesOf,
  createdAtSchema,
  instantSchema,
  updatedAtSchema,
  versionSchema,
} from '@/lib/schemas/text';
import {
  describeField,
  newMonitorFields as fields,
  type MonitorConfig,
  monitorDefaults,
  monitorFields,
  SECRET_FIELDS,
  shownMonitorFields,
} from './fields';
import { findConnectionConflicts } from './fields/connection-conflicts';
import { measuredUptimeSchema } from './stats';

export const MONITOR_STATUSES = ['operational', 'degraded', 'down', 'pending'] as const;

/** The fields that depend on each other. */
type Interdependent = Pick<
  MonitorConfig,
  | 'type'
  | 'url'
  | 'method'
  | 'body'
  | 'headers'
  | 'authentication'
  | 'assertions'
  | 'protocol'
  | 'ipVersion'
  | 'connectTo'
  | 'send'
  | 'period'
  | 'schedule'
  | 'memberRule'
  | 'memberMinimum'
>;

const interdependent = z.object({
  type: fields.type,
  url: fields.url,
  method: fields.method,
  body: fields.body,
  assertions: fields.assertions,
  protocol: fields.protocol,
  send: fields.send,
  headers: fields.headers,
  authentication: fields.authentication,
  ipVersion: fields.ipVersion,
  connectTo: fields.connectTo,
  period: fields.period,
  schedule: fields.schedule,
  memberRule: fields.memberRule,
  memberMinimum: fields.memberMinimum,
});

type Target = CheckType['target'];

/** A field whose value conflicts with another field. */
type Conflict = { path: string; message: string };

/** The protocols in which the text of a monitor is sent. */
const SENDING: readonly Protocol[] = ['none', 'tls'];

/** Conflicts between fields that are valid on their own. The same rules apply to new and changed monitors. */
export function findConflicts(config: Interdependent): Conflict[] {
  const { type, url, method, body, assertions, protocol, send, period, schedule } = config;
  const conflicts: Conflict[] = [];
  const { parse, shape, findProblem = () => `must be ${shape}` }: Target = CHECK_TYPES[type].target;
  if (parse(url) === null) conflicts.push({ path: 'url', message: findProblem(url) });
  if (body !== null && (method === 'GET' || method === 'HEAD')) {
    conflicts.push({ path: 'body', message: `is not allowed with method ${method}` });
  }
  if (send !== null && !SENDING.includes(protocol)) {
    conflicts.push({ path: 'send', message: `is not allowed with protocol ${protocol}` });
  }
  const sources = CHECK_TYPES[type].assertions;
  for (const [index, { source }] of assertions.entries()) {
    if (sources.includes(source)) continue;
    const message = `must be one of ${sources.join(', ')} for a monitor of type ${type}`;
    conflicts.push({ path: `assertions.${index}.source`, message });
  }
  const { headers, authentication } = config;
  if (authentication !== null && Object.keys(headers).some((name) => name.toLowerCase() === 'authorization'))
    conflicts.push({ path: 'authentication', message: 'is not allowed with an Authorization header' });
  conflicts.push(...findConnectionConflicts(config));
  if (isCalled({ type }) && (period === null) === (schedule === null)) {
    const message = period === null ? 'is required without a schedule' : 'is not allowed with a schedule';
    conflicts.push({ path: 'period', message });
  }
  if (isGroup({ type })) conflicts.push(...conflictsOfRule(config));
  return conflicts;
}

/** A number of members, or a percentage, is needed by the rules that have one. */
function conflictsOfRule({ memberRule, memberMinimum }: Interdependent): Conflict[] {
  const path = 'memberMinimum';
  if (memberRule === 'all' || memberRule === 'any') return [];
  if (memberMinimum === null) return [{ path, message: `is required with memberRule ${memberRule}` }];
  if (memberRule === 'share' && memberMinimum > 100) {
    return [{ path, message: 'must be at most 100, as it is a percentage' }];
  }
  return [];
}

/** The conflicts in an unvalidated body; none if one of the fields is invalid on its own. */
function conflictsIn(sent: unknown): Conflict[] {
  const parsed = interdependent.safeParse(sent);
  return parsed.success ? findConflicts(parsed.data) : [];
}

const creationSchema = z
  .strictObject(fields)
  .superRefine(
    (sent, context) => {
      for (const { path, message } of conflictsIn(sent)) {
        context.addIssue({ code: 'custom', path: path.split('.'), message });
      }
    },
    // Even if other fields are invalid, so that one response lists every problem.
    { when: () => true },
  )
  .superRefine((config, context) => {
    const message = 'is hidden, and a new monitor has no stored value to keep; send the value itself';
    for (const name of SECRET_FIELDS) {
      for (const path of describeField(name).secret?.listHidden(config[name]) ?? []) {
        context.addIssue({ code: 'custom', path: [name, ...path], message });
      }
    }
  });

/** The body of POST /monitors, with defaults, and checked for conflicts between fields. */
export const createMonitorSchema = z.preprocess(withDefaultsOfType, creationSchema);

const sentType = z.looseObject({ type: z.string() });

/** A new monitor as sent, with the defaults of its type. */
function withDefaultsOfType(sent: unknown): unknown {
  const { success, data } = sentType.safeParse(sent);
  const own = defaultsOfType(data?.type);
  if (!success || Object.keys(own).length === 0) return sent;
  const given = Object.entries(data).filter(([, value]) => value !== null && value !== undefined);
  return { ...data, ...own, ...Object.fromEntries(given) };
}

/** The defaults of the named type that others do not have: no target, or another threshold. */
export function defaultsOfType(name: string | undefined): Partial<MonitorConfig> {
  const type = findCheckType(name);
  return type === undefined ? {} : { ...(type.isProbed ? {} : { url: '' }), ...type.defaults };
}

/** A monitor as the API returns it. */
export const monitorSchema = z
  .strictObject({
    id: described(z.string().regex(/^mon_/), 'The ID of the monitor', 'mon_01kxk1j7c2e5x8q3n6w4r9t0zb'),
    ...shownMonitorFields,
    heartbeatUrl: z
      .string()
      .nullable()
      .meta({
        description:
          'The URL that the job of a heartbeat calls, with a token: hidden from readers who may not change the monitor. null for other types',
        examples: ['https://pharos.example.com/heartbeat/4fPz…'],
      }),
    status: z.enum(MONITOR_STATUSES).describe('The current status'),
    statusChangedAt: described(
      instantSchema.nullable(),
      'When the current state began, like `at` of the latest transition: with the first check that led to it. Pauses, maintenance windows and unknown periods are states, too. null if unknown',
      '2027-02-26T08:15:00.000Z',
    ),
    lastCheckedAt: instantSchema
      .nullable()
      .describe('When the last check started; null before the first one'),
    lastResponseTime: described(z.int().nullable(), 'Milliseconds of the last check', 182),
    consecutiveFailures: described(
      z.int(),
      'Failed checks in a row, as counted by a quorum of the regions',
      0,
    ),
    uptimePercentage: described(
      z.number().min(0).max(100),
      'Uptime of the last 30 days in percent, truncated to two decimals',
      99.98,
    ),
    measuredUptimePercentage: measuredUptimeSchema.meta({ example: null }),
    version: versionSchema,
    createdAt: createdAtSchema,
    updatedAt: updatedAtSchema,
    maintenance: described(
      z.boolean(),
      'Whether the monitor is in a maintenance window: checks continue, but send no notifications and do not count toward uptime',
      false,
    ),
    noDataSince: described(
      instantSchema.nullable(),
      'Set while no region delivers data: each one has no recent result, or no worker. One interval after the last result (after creation or resuming, if there was none). `status` keeps its last value, and the time counts as unknown. null while data arrives or the monitor is paused',
      null,
    ),
    flappingSince: described(
      instantSchema.nullable(),
      'Set while the monitor flaps: since it changed its status for the fifth time within 10 minutes, until it has been steady for 10 minutes. People are notified of the beginning and the end only; `status` and events are not affected. null otherwise',
      null,
    ),
    silentRegions: described(
      z.array(regionIdSchema),
      'Those of `regions` that deliver no data: no result within three intervals (or timeouts, if longer), or no worker for 60 seconds. The remaining regions decide the status',
      [],
    ),
  })
  .meta({ id: 'Monitor' });

// Its default depends on the type, which a change may not contain.
const changeableFields = { ...monitorFields, alertThreshold: monitorFields.alertThreshold.nullable() };
const { alertThreshold: _, ...resets } = monitorDefaults;

/** The body of PUT /monitors/:id. An `alertThreshold` of null is the default of the type. */
export const updateMonitorSchema = changesOf(changeableFields, monitorSchema, resets);

export type Monitor = z.output<typeof monitorSchema>;
export type MonitorChanges = z.output<typeof updateMonitorSchema>;

/** The response to a DELETE. */
export const messageSchema = z
  .strictObject({ message: described(z.string(), 'What was done', 'Monitor deleted') })
  .meta({ id: 'Message' });
