import { z } from 'zod';
import { isTimeZone } from '@/lib/core/time/zoned-time';
import { described } from '@/lib/schemas/described';
import { INCIDENT_SEVERITIES } from '@/lib/schemas/incidents/incident-statuses';
import { lenient } from '@/lib/schemas/query';
import { givenInstantSchema, instantSchema, monitorIdSchema, oneOf } from '@/lib/schemas/text';
import { EVENT_KINDS } from './event-kinds';

/** Why a listener is notified of something or not. */
export const LISTENER_REASONS = [
  'everything',
  'rule',
  'not_subscribed',
  'no_rule_matches',
  'disabled',
  'unconfirmed',
  'unsubscribed',
  'alerts_off',
  'email_off',
  'not_emailed',
  'held',
  'flapping',
  'maintenance',
  'paused',
] as const;

/** The query of GET /monitors/:id/listeners. */
export const listenersQuerySchema = z.strictObject({
  event: oneOf(EVENT_KINDS)
    .optional()
    .describe('By default an outage: `monitor.down` or `incident.created`, whichever is sent'),
  severity: described(
    oneOf(INCIDENT_SEVERITIES).optional(),
    'Of the incident; by default minor for `monitor.degraded`, and critical for others',
    'major',
  ),
  at: givenInstantSchema.optional().describe('When it happens; by default now'),
});
export type ListenersQuery = z.output<typeof listenersQuerySchema>;

const listenerSchema = z
  .strictObject({
    type: described(
      z.enum(['webhook', 'member', 'email']),
      'A webhook endpoint, a member who is emailed, or an email recipient without an account',
      'webhook',
    ),
    id: described(
      z.string(),
      'The ID of the endpoint, user or email recipient',
      'whk_01kxk1t6y9b2e5h8m1p4s7v0xc',
    ),
    name: described(
      z.string(),
      'The description or host of an endpoint, or the email address of a member or recipient. Those who may not see recipients get its description',
      'Paging',
    ),
    notified: described(z.boolean(), 'Whether it is notified', true),
    reason: described(
      z.enum(LISTENER_REASONS),
      'everything: it has no rules. held: a monitor that this one depends on is down. flapping: only the formats standard and custom get its changes. maintenance, paused: it causes no events. not_emailed: people are emailed about monitor.down and monitor.up. unconfirmed: the owner of the address has not confirmed it',
      'rule',
    ),
    rule: described(
      z.int().nonnegative().nullable(),
      'The first rule that matches, from 0; null for other reasons',
      0,
    ),
  })
  .meta({ id: 'Listener' });

/** Who is notified of something that happens to a monitor, as the API returns it. */
export const listenersSchema = z
  .strictObject({
    severity: described(z.enum(INCIDENT_SEVERITIES), 'The severity that was considered', 'major'),
    at: instantSchema.describe('The time that was considered'),
    listeners: z
      .array(listenerSchema)
      .describe('The endpoints, members and email recipients, each with the reason'),
  })
  .meta({ id: 'Listeners' });

export type Listener = z.output<typeof listenerSchema>;
export type Listeners = z.output<typeof listenersSchema>;

/** The query of the screen that shows who is notified of what. Invalid values are ignored. */
export const listenersViewSchema = z.object({
  monitor: lenient(monitorIdSchema),
  event: lenient(z.enum(EVENT_KINDS)),
  severity: lenient(z.enum(INCIDENT_SEVERITIES)),
  at: lenient(
    z
      .string()
      .max(16)
      .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/),
  ).describe('A local time'),
  timeZone: lenient(z.string().max(100).refine(isTimeZone)),
});
export type ListenersView = z.output<typeof listenersViewSchema>;
