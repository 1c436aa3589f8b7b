import { z } from 'zod';
import { pageQuery } from '@/lib/schemas/query';
import { givenInstantSchema, idLike, instantSchema, monitorIdSchema, oneOf } from '@/lib/schemas/text';
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
  status: oneOf(DELIVERY_STATUSES).optional(),
  event: oneOf(DELIVERY_KINDS).optional(),
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
  webhook: webhookIdSchema.optional(),
  ...pageQuery,
});

/** The payload of a test event. */
export const testPayloadSchema = z.strictObject({
  id: eventIdSchema,
  event: z.literal('webhook.test'),
  timestamp: instantSchema,
  webhook: z.strictObject({ id: z.string(), url: z.string() }),
});

/** The body of POST /webhooks/:id/recover. */
export const recoverSchema = z.strictObject({
  since: givenInstantSchema,
  dryRun: z.boolean('must be true or false').default(false).describe('Whether to count the deliveries only'),
});

/** The response of POST /webhooks/:id/recover. */
export const recoveredSchema = z
  .strictObject({
    queued: z
      .int()
      .min(0)
      .describe('Number of deliveries whose retry schedule was restarted; of a dry run, would be'),
  })
  .meta({ id: 'Recovered' });

/** What a delivery can be about. */
export const SUBJECT_TYPES = ['monitor', 'incident'] as const;

const subjectSchema = z
  .strictObject({
    type: z.enum(SUBJECT_TYPES),
    id: z.string(),
    name: z
      .string()
      .describe('The name of the monitor, or the title of the incident, when the event occurred'),
    deleted: z.boolean().describe('Whether it has been deleted since'),
  })
  .meta({ id: 'DeliverySubject' });

const scheduledAttemptSchema = z
  .strictObject({ number: z.int().min(1), of: z.int().min(1) })
  .meta({ id: 'ScheduledAttempt' });

/** One event for one endpoint. */
export const deliverySchema = z
  .strictObject({
    id: z.string().regex(/^del_/),
    event: z.enum(DELIVERY_KINDS),
    subject: subjectSchema.nullable().describe('What the event is about; null for a test'),
    webhookId: z.string().describe('Kept after the endpoint is deleted'),
    status: z.enum(DELIVERY_STATUSES),
    reason: z.enum(FAILURE_REASONS).nullable().describe('Why it failed permanently'),
    attempts: z.int().describe('Number of attempts started so far'),
    nextAttemptAt: instantSchema.nullable(),
    nextAttempt: scheduledAttemptSchema
      .nullable()
      .describe(
        'Which attempt of the retry schedule is next; null if none, and for tests, which have no schedule',
      ),
    manualAttemptAt: instantSchema.nullable().describe('When a pending replay or test was requested'),
    createdAt: instantSchema,
    settledAt: instantSchema.nullable(),
    lastAttemptAt: instantSchema.nullable(),
    lastStatusCode: z.int().nullable(),
    lastError: z.string().nullable(),
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
    method: z.string().describe('PATCH where a message in Discord is edited; POST otherwise'),
    url: z.string().describe("The endpoint's URL at the time"),
    headers: sentHeaders.describe('Without Host, Connection and Content-Length'),
    body: z.string(),
  })
  .meta({ id: 'DeliveryRequest' });

const responseSchema = z
  .strictObject({
    status: z.int(),
    headers: sentHeaders.nullable().describe('null if the response was cut off'),
    body: z.string().nullable().describe('The first 16 KiB; null if the response was cut off'),
  })
  .meta({ id: 'DeliveryResponse' });

const attemptSchema = z
  .strictObject({
    id: z.string().regex(/^att_/),
    attempt: z.int().min(1).describe('Same number as in X-Service-Attempt'),
    manual: z.boolean().describe('Whether it was a replay or a test, outside the schedule'),
    startedAt: instantSchema,
    finishedAt: instantSchema.nullable().describe('null if in progress or interrupted by a crash'),
    duration: z.int().nullable().describe('Milliseconds'),
    statusCode: z.int().nullable(),
    responseHeaders: sentHeaders.nullable(),
    responseBody: z.string().nullable().describe('The first 16 KiB'),
    error: z.string().nullable().describe('Why it was not delivered, or why nothing had to be sent'),
    request: requestSchema
      .nullable()
      .describe('null if in progress, or not sent, such as because the endpoint was disabled or deleted'),
    response: responseSchema.nullable().describe('null if there was no response'),
  })
  .meta({ id: 'DeliveryAttempt' });

/** A delivery with its requests and responses. */
export const deliveryDetailSchema = deliverySchema
  .extend({
    payload: z
      .record(z.string(), z.unknown())
      .describe("The parsed body, in the endpoint's format at the time of the event"),
    payloadText: z.string().describe('The exact body sent with every attempt'),
    tries: z.array(attemptSchema).describe('Oldest first'),
  })
  .meta({ id: 'DeliveryDetail' });

export type DeliverySubject = z.output<typeof subjectSchema>;
export type Delivery = z.output<typeof deliverySchema>;
export type DeliveryDetail = z.output<typeof deliveryDetailSchema>;
export type DeliveryAttempt = z.output<typeof attemptSchema>;
export type DeliveriesQuery = z.output<typeof deliveriesQuerySchema>;
export type TestPayload = z.output<typeof testPayloadSchema>;
