import { z } from 'zod';
import { parseHttpUrl } from '@/lib/core/addresses';
import { HIDDEN } from '@/lib/schemas/hidden';
import {
  changesOf,
  creationOf,
  instantSchema,
  oneOf,
  refText,
  text,
  versionSchema,
} from '@/lib/schemas/text';

export const EVENT_KINDS = [
  'monitor.down',
  'monitor.up',
  'monitor.degraded',
  'incident.created',
  'incident.updated',
  'incident.resolved',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** The format of sent events: our own payload, or the messages of a chat product. */
export const WEBHOOK_FORMATS = ['standard', 'slack', 'discord', 'teams'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** More than there are, so that duplicates get their own error. */
const MAX_EVENTS = 50;
const eventKind = oneOf(EVENT_KINDS);

const fields = {
  url: text(1, 2048).refine(
    (url) => parseHttpUrl(url) !== null,
    'must be an http or https URL without a username or password',
  ),
  description: text(0, 500),
  events: z
    .array(eventKind, 'must be an array of event names')
    .min(1, 'must include at least one event')
    .max(MAX_EVENTS, 'must not contain duplicates')
    .refine((events) => new Set(events).size === events.length, 'must not contain duplicates'),
  format: oneOf(WEBHOOK_FORMATS),
  ref: refText.nullable().describe('Your own ID for this endpoint, unique in the organization'),
  enabled: z.boolean('must be true or false'),
};

const DEFAULTS = {
  description: '',
  events: [...EVENT_KINDS],
  format: 'standard',
  ref: null,
  enabled: true,
} as const satisfies Record<string, unknown>;

/** The body of POST /webhooks. */
export const createWebhookSchema = z.strictObject({
  ...creationOf(fields, DEFAULTS),
  url: fields.url.refine((url) => !url.includes(HIDDEN), 'is hidden: send the full URL'),
});

/** The body of POST /webhooks/:id/rotate-secret; none is the same as an empty one. */
export const rotateSecretSchema = z
  .strictObject({ immediate: z.boolean('must be true or false').default(false) })
  .prefault({});

/** A webhook endpoint as the API returns it. */
export const webhookSchema = z
  .strictObject({
    id: z.string().regex(/^whk_/),
    url: z.string(),
    description: z.string(),
    events: z.array(eventKind),
    format: z
      .enum(WEBHOOK_FORMATS)
      .describe(
        "standard: the payloads below, signed. slack, discord, teams: a message for that product's incoming webhooks, unsigned",
      ),
    ref: z.string().nullable().describe('Your own ID for this endpoint, unique in the organization'),
    enabled: z.boolean(),
    status: z.enum(['active', 'failing', 'disabled']).describe('failing: the latest delivery attempt failed'),
    failingSince: instantSchema.nullable().describe('When attempts started to fail'),
    autoDisabledAt: instantSchema
      .nullable()
      .describe('When it was disabled because deliveries kept failing; null once it is enabled again'),
    rotationEndsAt: instantSchema
      .nullable()
      .describe('Until then both the old and the new secret sign; null if there is only one secret'),
    version: versionSchema,
    createdAt: instantSchema,
    updatedAt: instantSchema,
  })
  .meta({ id: 'Webhook' });

/** The body of PUT /webhooks/:id. */
export const updateWebhookSchema = changesOf(fields, webhookSchema, DEFAULTS);

/** An endpoint with a new secret: the only responses that include the secret. */
export const newWebhookSchema = webhookSchema
  .extend({ secret: z.string().regex(/^whsec_/) })
  .meta({ id: 'NewWebhook' });

export type Webhook = z.output<typeof webhookSchema>;
export type NewWebhook = z.output<typeof newWebhookSchema>;
export type CreateWebhook = z.output<typeof createWebhookSchema>;
export type RotateSecret = z.output<typeof rotateSecretSchema>;
export type WebhookChanges = z.output<typeof updateWebhookSchema>;
