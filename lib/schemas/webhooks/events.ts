import { z } from 'zod';
import { MONITOR_TYPES } from '@/lib/checks/types';
import { INCIDENT_SEVERITIES, INCIDENT_STATUSES } from '@/lib/schemas/incidents/incident-statuses';
import { instantSchema } from '@/lib/schemas/text';
import type { EventKind } from './webhook';

const monitor = z.strictObject({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  type: z.enum(MONITOR_TYPES),
});

const incident = z.strictObject({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  status: z.enum(INCIDENT_STATUSES),
  severity: z.enum(INCIDENT_SEVERITIES),
  affectedMonitors: z.array(z.string()),
});

const milliseconds = z.int().nonnegative();

function event<Kind extends EventKind, Shape extends z.ZodRawShape>(kind: Kind, shape: Shape) {
  return z.strictObject({ event: z.literal(kind), timestamp: instantSchema, ...shape });
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
  }),
  'monitor.up': event('monitor.up', {
    monitor,
    details: z.strictObject({
      responseTime: milliseconds,
      statusCode: z.int().nullable(),
      downtime: z.string(),
      region: z.string(),
    }),
  }),
  'monitor.degraded': event('monitor.degraded', {
    monitor,
    details: z.strictObject({
      responseTime: milliseconds.nullable(),
      statusCode: z.int().nullable(),
      errorMessage: z.string().nullable(),
      region: z.string(),
    }),
  }),
  'incident.created': event('incident.created', { incident }),
  'incident.updated': event('incident.updated', {
    incident: incident.extend({ previousStatus: z.enum(INCIDENT_STATUSES), message: z.string() }),
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
