import { z } from 'zod';
import { MONITOR_TYPES } from '@/lib/checks/types';
import { impactsSchema } from '@/lib/schemas/incidents/incident';
import { INCIDENT_SEVERITIES, INCIDENT_STATUSES } from '@/lib/schemas/incidents/incident-statuses';
import { instantSchema } from '@/lib/schemas/text';
import type { EventKind } from './event-kinds';

const monitor = z.strictObject({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  type: z.enum(MONITOR_TYPES),
  ref: z.string().nullable().describe('Your own ID for the monitor'),
  tags: z.array(z.string()),
});

const itsIncident = z
  .strictObject({ id: z.string() })
  .nullable()
  .describe('The automatic incident that the change opened, continued or resolved; null if there was none');

const causedBy = z
  .strictObject({ id: z.string(), name: z.string() })
  .nullable()
  .describe(
    'The monitor that is down, on which the monitor depends; people are not notified of the event then. null if there is none',
  );

/** A monitor that is down, on which another depends. */
export type Cause = NonNullable<z.output<typeof causedBy>>;

const incident = z.strictObject({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  status: z.enum(INCIDENT_STATUSES),
  severity: z.enum(INCIDENT_SEVERITIES),
  affectedMonitors: z.array(z.string()),
  affectedComponents: z.array(z.string()).describe('Rows of status pages without a monitor'),
  impacts: impactsSchema,
});

/** The ID of an event. */
export const eventIdSchema = z
  .string()
  .regex(/^evt_/)
  .describe('The same for every endpoint, attempt and replay; also in X-Service-Event-Id');

const milliseconds = z.int().nonnegative();

function event<Kind extends EventKind, Shape extends z.ZodRawShape>(kind: Kind, shape: Shape) {
  return z.strictObject({
    id: eventIdSchema,
    event: z.literal(kind),
    timestamp: instantSchema.describe('When it occurred; compare it per monitor to drop what comes late'),
    ...shape,
  });
}

/** The body of every webhook event, by kind. */
export const eventSchemas = {
  'monitor.down': event('monitor.down', {
    monitor,
    incident: incident.pick({ id: true, severity: true, status: true }),
    details: z.strictObject({
      consecutiveFailures: z.int(),
      errorMessage: z.string(),
      responseTime: milliseconds.nullable(),
      statusCode: z.int().nullable(),
      region: z.string(),
    }),
    causedBy,
  }),
  'monitor.up': event('monitor.up', {
    monitor,
    incident: itsIncident,
    details: z.strictObject({
      responseTime: milliseconds,
      statusCode: z.int().nullable(),
      downtime: z.string(),
      region: z.string(),
    }),
  }),
  'monitor.degraded': event('monitor.degraded', {
    monitor,
    incident: itsIncident,
    details: z.strictObject({
      responseTime: milliseconds.nullable(),
      statusCode: z.int().nullable(),
      errorMessage: z.string().nullable(),
      region: z.string(),
    }),
    causedBy,
  }),
  'incident.created': event('incident.created', { incident, causedBy }),
  'incident.updated': event('incident.updated', {
    incident: incident.extend({ previousStatus: z.enum(INCIDENT_STATUSES), message: z.string() }),
  }),
  'incident.acknowledged': event('incident.acknowledged', {
    incident: incident.extend({ acknowledgedAt: instantSchema }),
    acknowledgedBy: z
      .strictObject({ name: z.string().describe('The email address of a member, or the name of an API key') })
      .nullable()
      .describe(
        'Who works on it; null if that is not known, because they used a link without being signed in',
      ),
    via: z
      .string()
      .nullable()
      .describe('The endpoint in whose messages they found that link; null otherwise'),
  }),
  'incident.resolved': event('incident.resolved', {
    incident: incident.extend({
      resolvedAt: instantSchema,
      duration: z
        .string()
        .describe(
          'From startedAt to resolvedAt; equals `downtime` of monitor.up if the monitor was down the whole time',
        ),
    }),
  }),
} satisfies Record<EventKind, z.ZodObject>;

export const eventPayloadSchema = z.union(Object.values(eventSchemas));
export type EventPayload = z.output<typeof eventPayloadSchema>;

type WithoutId<Payload> = Payload extends unknown ? Omit<Payload, 'id'> : never;

/** What an event says, before it gets its ID. */
export type EventContent = WithoutId<EventPayload>;
