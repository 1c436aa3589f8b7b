import { z } from 'zod';
import { MONITOR_TYPES } from '@/lib/checks/types';
import { described } from '@/lib/schemas/described';
import { impactsSchema } from '@/lib/schemas/incidents/incident';
import { INCIDENT_SEVERITIES, INCIDENT_STATUSES } from '@/lib/schemas/incidents/incident-statuses';
import { instantSchema } from '@/lib/schemas/text';
import type { EventKind } from './event-kinds';

const monitor = z.strictObject({
  id: described(z.string(), 'The ID of the monitor', 'mon_01kxk1j7c2e5x8q3n6w4r9t0zb'),
  name: described(z.string(), 'The name of the monitor', 'Checkout API'),
  url: described(z.string(), 'What is checked', 'https://api.example.com/health'),
  type: described(
    z.enum(MONITOR_TYPES),
    'What is checked: an HTTP endpoint, a TCP port, a host (ping) or a DNS record',
    'http',
  ),
  ref: described(z.string().nullable(), 'Your own ID for the monitor', 'checkout-api'),
  tags: described(z.array(z.string()), 'Labels to filter by', ['shop', 'production']),
});

const itsIncident = z
  .strictObject({ id: described(z.string(), 'The ID of the incident', 'inc_01kxk1n4d8f0y5s2m7v6p1h3ac') })
  .nullable()
  .describe('The automatic incident that the change opened, continued or resolved; null if there was none');

const causedBy = z
  .strictObject({
    id: described(z.string(), 'The ID of the monitor', 'mon_01kxk1j7c2e5x8q3n6w4r9t0zb'),
    name: described(z.string(), 'The name, for people', 'Checkout API'),
  })
  .nullable()
  .describe(
    'The monitor that is down, on which the monitor depends; people are not notified of the event then. null if there is none',
  );

/** A monitor that is down, on which another depends. */
export type Cause = NonNullable<z.output<typeof causedBy>>;

const status = z.enum(INCIDENT_STATUSES).describe('The current status');
const severity = described(z.enum(INCIDENT_SEVERITIES), 'How bad it is: minor, major or critical', 'major');

const incident = z.strictObject({
  id: described(z.string(), 'The ID of the incident', 'inc_01kxk1n4d8f0y5s2m7v6p1h3ac'),
  title: described(z.string(), 'The title, shown publicly', 'Checkout is slow'),
  description: described(
    z.string(),
    'More for people; null or empty for none',
    'Orders may take longer than usual.',
  ),
  status,
  severity,
  affectedMonitors: described(z.array(z.string()), 'The IDs of the affected monitors', [
    'mon_01kxk1j7c2e5x8q3n6w4r9t0zb',
  ]),
  affectedComponents: described(z.array(z.string()), 'Rows of status pages without a monitor', [
    'cmp_01kxk1j7c2e5x8q3n6w4r9t0zb',
  ]),
  impacts: impactsSchema.meta({ example: { mon_01kxk1j7c2e5x8q3n6w4r9t0zb: 'critical' } }),
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
    event: z.literal(kind).describe('The kind of event'),
    timestamp: instantSchema.describe('When it occurred; compare it per monitor to drop what comes late'),
    ...shape,
  });
}

/** The body of every webhook event, by kind. */
export const eventSchemas = {
  'monitor.down': event('monitor.down', {
    monitor: monitor.describe('The monitor'),
    incident: incident
      .pick({ id: true, severity: true, status: true })
      .extend({ severity: described(severity, 'How bad the incident is', 'critical') })
      .describe('The incident'),
    details: z
      .strictObject({
        consecutiveFailures: described(z.int(), 'Failed checks in a row', 3),
        errorMessage: described(
          z.string(),
          'What went wrong, for people',
          'responded with 503, expected 200',
        ),
        responseTime: described(milliseconds.nullable(), 'Milliseconds until the response was complete', 182),
        statusCode: described(
          z.int().nullable(),
          'The HTTP status code; null for other types, and without a response',
          503,
        ),
        region: described(z.string(), 'The region of the last failed check', 'eu-west'),
      })
      .describe('More about it'),
    causedBy,
  }),
  'monitor.up': event('monitor.up', {
    monitor: monitor.describe('The monitor'),
    incident: itsIncident,
    details: z
      .strictObject({
        responseTime: described(milliseconds, 'Milliseconds until the response was complete', 182),
        statusCode: described(
          z.int().nullable(),
          'The HTTP status code; null for other types, and without a response',
          200,
        ),
        downtime: described(
          z.string(),
          'How long the monitor was down, such as 45s, 12m, 1h 5m or 2d 3h',
          '12m',
        ),
        region: described(z.string(), 'The region of the check', 'eu-west'),
      })
      .describe('More about it'),
  }),
  'monitor.degraded': event('monitor.degraded', {
    monitor: monitor.describe('The monitor'),
    incident: itsIncident,
    details: z
      .strictObject({
        responseTime: described(
          milliseconds.nullable(),
          'Milliseconds until the response was complete',
          6240,
        ),
        statusCode: described(
          z.int().nullable(),
          'The HTTP status code; null for other types, and without a response',
          200,
        ),
        errorMessage: described(
          z.string().nullable(),
          'What went wrong, for people; null if the check succeeded',
          null,
        ),
        region: described(z.string(), 'The region of the check', 'eu-west'),
      })
      .describe('More about it'),
    causedBy,
  }),
  'incident.created': event('incident.created', { incident: incident.describe('The incident'), causedBy }),
  'incident.updated': event('incident.updated', {
    incident: incident
      .extend({
        status: described(status, 'The new status', 'identified'),
        previousStatus: described(z.enum(INCIDENT_STATUSES), 'The status before the change', 'investigating'),
        message: described(
          z.string(),
          'What people should know',
          'We found the cause and are working on a fix.',
        ),
      })
      .describe('The incident'),
  }),
  'incident.acknowledged': event('incident.acknowledged', {
    incident: incident
      .extend({
        acknowledgedAt: described(instantSchema, 'When somebody acknowledged it', '2027-03-01T10:02:00.000Z'),
      })
      .describe('The incident'),
    acknowledgedBy: described(
      z
        .strictObject({
          name: described(
            z.string(),
            'The email address of a member, or the name of an API key',
            'ada@example.com',
          ),
        })
        .nullable(),
      'Who works on it; null if that is not known, because they used a link without being signed in',
      { name: 'ada@example.com' },
    ),
    via: described(
      z.string().nullable(),
      'The endpoint in whose messages they found that link; null otherwise',
      null,
    ),
  }),
  'incident.resolved': event('incident.resolved', {
    incident: incident
      .extend({
        status: described(status, 'The new status', 'resolved'),
        resolvedAt: described(instantSchema, 'When it was resolved', '2027-03-01T10:12:00.000Z'),
        duration: described(
          z.string(),
          'From startedAt to resolvedAt; equals `downtime` of monitor.up if the monitor was down the whole time',
          '12m',
        ),
      })
      .describe('The incident'),
  }),
} satisfies Record<EventKind, z.ZodObject>;

export const eventPayloadSchema = z.union(Object.values(eventSchemas));
export type EventPayload = z.output<typeof eventPayloadSchema>;

type WithoutId<Payload> = Payload extends unknown ? Omit<Payload, 'id'> : never;

/** What an event says, before it gets its ID. */
export type EventContent = WithoutId<EventPayload>;
