import { z } from 'zod';
import { described } from '@/lib/schemas/described';
import { pageQuery } from '@/lib/schemas/query';
import {
  createdAtSchema,
  givenInstantSchema,
  idLike,
  instantSchema,
  monitorIdSchema,
  oneOf,
} from '@/lib/schemas/text';
import { EVENT_KINDS } from './event-kinds';
import { eventIdSchema } from './events';

/** What can be delivered: the events and the test event. */
export const DELIVERY_KINDS = [...EVENT_KINDS, 'webhook.test'] as const;
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export const FAILURE_REASONS = ['exhausted', 'endpoint_disabled', 'endpoint_deleted'] as const;

export type DeliveryKind = (typeof DELIVERY_KINDS)[number];
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
export type FailureReason = (typeof FAILURE_REASONS)[number];

const endpointQuery = {
  status: oneOf(DELIVERY_STATUSES).optional().describe('The current status'),
  event: oneOf(DELIVERY_KINDS).optional().describe('The kind of event'),
  monitor: monitorIdSchema
    .optional()
    .describe('Only events about this monitor, and about incidents that affected it when they occurred'),
};

/** The ID of an endpoint, of any organization. */
export const webhookIdSchema = idLike(/^whk_[0-9a-z]+$/, 'must be a webhook ID');

/** The query of GET /webhooks/:id/deliveries. */
export const endpointDeliveriesQuerySchema = z.strictObject({ ...endpointQuery, ...pageQuery });

/** The query of GET /deliveries. */
export const deliveriesQuerySchema = z.strictObject({
  ...endpointQuery,
  webhook: described(webhookIdSchema.optional(), 'The ID of the endpoint', 'whk_01kxk1t6y9b2e5h8m1p4s7v0xc'),
  ...pageQuery,
});

/** The payload of a test event. */
export const testPayloadSchema = z.strictObject({
  id: eventIdSchema,
  event: z.literal('webhook.test').describe('The kind of event'),
  timestamp: instantSchema.describe('When it occurred'),
  webhook: z
    .strictObject({
      id: described(z.string(), 'The ID of the endpoint', 'whk_01kxk1t6y9b2e5h8m1p4s7v0xc'),
      url: described(z.string(), 'Where events are sent', 'https://example.com/hooks/pharos'),
    })
    .describe('The endpoint'),
});

/** The body of POST /webhooks/:id/recover. */
export const recoverSchema = z.strictObject({
  since: givenInstantSchema.describe('The start of the period'),
  dryRun: z.boolean('must be true or false').default(false).describe('Whether to count the deliveries only'),
});

/** The response of POST /webhooks/:id/recover. */
export const recoveredSchema = z
  .strictObject({
    queued: described(
      z.int().min(0),
      'Number of deliveries whose retry schedule was restarted; of a dry run, would be',
      4,
    ),
  })
  .meta({ id: 'Recovered' });

/** What a delivery can be about. */
export const SUBJECT_TYPES = ['monitor', 'incident'] as const;

const subjectSchema = z
  .strictObject({
    type: described(z.enum(SUBJECT_TYPES), 'What it is', 'monitor'),
    id: described(z.string(), 'The ID of the monitor or incident', 'mon_01kxk1j7c2e5x8q3n6w4r9t0zb'),
    name: described(
      z.string(),
      'The name of the monitor, or the title of the incident, when the event occurred',
      'Shop',
    ),
    deleted: described(z.boolean(), 'Whether it has been deleted since', false),
  })
  .meta({ id: 'DeliverySubject' });

const scheduledAttemptSchema = z
  .strictObject({
    number: described(z.int().min(1), 'Its number in the schedule, from 1', 3),
    of: described(z.int().min(1), 'Number of attempts in the schedule', 6),
  })
  .meta({ id: 'ScheduledAttempt' });

/** One event for one endpoint. */
export const deliverySchema = z
  .strictObject({
    id: described(
      z.string().regex(/^del_/),
      'The ID of the delivery, the same for every attempt',
      'del_01kxk1v3a6d9g2k5n8r1t4w7yd',
    ),
    event: z.enum(DELIVERY_KINDS).describe('The kind of event'),
    subject: subjectSchema.nullable().describe('What the event is about; null for a test'),
    webhookId: described(z.string(), 'Kept after the endpoint is deleted', 'whk_01kxk1t6y9b2e5h8m1p4s7v0xc'),
    status: z.enum(DELIVERY_STATUSES).describe('The current status'),
    reason: described(z.enum(FAILURE_REASONS).nullable(), 'Why it failed permanently', null),
    attempts: described(z.int(), 'Number of attempts started so far', 1),
    nextAttemptAt: described(instantSchema.nullable(), 'When the next attempt is due; null for none', null),
    nextAttempt: described(
      scheduledAttemptSchema.nullable(),
      'Which attempt of the retry schedule is next; null if none, and for tests, which have no schedule',
      { number: 3, of: 6 },
    ),
    manualAttemptAt: described(instantSchema.nullable(), 'When a pending replay or test was requested', null),
    createdAt: createdAtSchema,
    settledAt: instantSchema
      .nullable()
      .describe('When it was delivered or failed for good; null while it is pending'),
    lastAttemptAt: instantSchema.nullable().describe('When the last attempt started; null before the first'),
    lastStatusCode: described(
      z.int().nullable(),
      'The status code of the last response; null without one',
      200,
    ),
    lastError: described(z.string().nullable(), 'Why the last attempt failed; null if it succeeded', null),
  })
  .meta({ id: 'Delivery' });

/** Why a delivery counts as delivered without a request: its message shows as much already. */
export const SKIPPED = {
  newer: 'not sent: a newer update was already sent',
  uneditable: 'not sent: the message cannot be edited',
} as const;

/** Whether the error of an attempt says that nothing had to be sent. */
export const isSkipped = (error: string | null): boolean =>
  Object.values(SKIPPED).some((reason) => reason === error);

const sentHeaders = z.record(z.string(), z.string());

const requestSchema = z
  .strictObject({
    method: described(z.string(), 'PATCH where a message in Discord is edited; POST otherwise', 'POST'),
    url: described(z.string(), "The endpoint's URL at the time", 'https://api.example.com/health'),
    headers: described(sentHeaders, 'Without Host, Connection and Content-Length', {
      Accept: 'application/json',
    }),
    body: described(z.string(), 'The body', '{"event":"monitor.up"}'),
  })
  .meta({ id: 'DeliveryRequest' });

const responseSchema = z
  .strictObject({
    status: described(z.int(), 'The status code', 200),
    headers: described(sentHeaders.nullable(), 'null if the response was cut off', {
      Accept: 'application/json',
    }),
    body: described(z.string().nullable(), 'The first 16 KiB; null if the response was cut off', 'ok'),
  })
  .meta({ id: 'DeliveryResponse' });

const attemptSchema = z
  .strictObject({
    id: described(z.string().regex(/^att_/), 'The ID of the attempt', 'att_01kxk21d6f9h2k5n8q1t4v7y0z'),
    attempt: described(z.int().min(1), 'Same number as in X-Service-Attempt', 1),
    manual: described(z.boolean(), 'Whether it was a replay or a test, outside the schedule', false),
    startedAt: instantSchema.describe('When it began'),
    finishedAt: instantSchema.nullable().describe('null if in progress or interrupted by a crash'),
    duration: described(z.int().nullable(), 'Milliseconds', 96),
    statusCode: described(
      z.int().nullable(),
      'The HTTP status code; null for other types, and without a response',
      200,
    ),
    responseHeaders: described(sentHeaders.nullable(), 'The headers of the response; null without one', {
      'content-type': 'text/plain',
    }),
    responseBody: described(z.string().nullable(), 'The first 16 KiB', 'ok'),
    error: described(z.string().nullable(), 'Why it was not delivered, or why nothing had to be sent', null),
    request: requestSchema
      .nullable()
      .describe('null if in progress, or not sent, such as because the endpoint was disabled or deleted'),
    response: responseSchema.nullable().describe('null if there was no response'),
  })
  .meta({ id: 'DeliveryAttempt' });

/** A delivery with its requests and responses. */
export const deliveryDetailSchema = deliverySchema
  .extend({
    payload: described(
      z.record(z.string(), z.unknown()),
      "The parsed body, in the endpoint's format at the time of the event",
      { event: 'monitor.up' },
    ),
    payloadText: described(z.string(), 'The exact body sent with every attempt', '{"event":"monitor.up"}'),
    tries: z.array(attemptSchema).describe('Oldest first'),
  })
  .meta({ id: 'DeliveryDetail' });

export type DeliverySubject = z.output<typeof subjectSchema>;
export type Delivery = z.output<typeof deliverySchema>;
export type DeliveryDetail = z.output<typeof deliveryDetailSchema>;
export type DeliveryAttempt = z.output<typeof attemptSchema>;
export type DeliveriesQuery = z.output<typeof deliveriesQuerySchema>;
export type TestPayload = z.output<typeof testPayloadSchema>;
