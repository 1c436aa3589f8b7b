import { z } from 'zod';
import { parseHttpUrl } from '@/lib/core/addresses';
import { HIDDEN } from './hidden';
import { changesOf, instantSchema, text } from './text';

export const EVENT_KINDS = [
  'monitor.down',
  'monitor.up',
  'monitor.degraded',
  'incident.created',
  'incident.updated',
  'incident.resolved',
] as const;

export type EventKind = (typeof EVENT_KINDS)[number];

/** In whose shape events are sent: the document's own, or the messages of a chat product. */
export const WEBHOOK_FORMATS = ['standard', 'slack', 'discord', 'teams'] as const;

export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** More than there are, so that one that is repeated is said to be. */
const MAX_EVENTS = 50;
const eventKind = z.enum(EVENT_KINDS, `must be one of ${EVENT_KINDS.join(', ')}`);

const fields = {
  url: text(1, 2048).refine(
    (url) => parseHttpUrl(url) !== null,
    'must be an http or https URL without user name or password',
  ),
  description: text(0, 500),
  events: z
    .array(eventKind, 'must be an array of event kinds')
    .min(1, 'must name at least one event')
    .max(MAX_EVENTS, 'must not repeat an event')
    .refine((events) => new Set(events).size === events.length, 'must not repeat an event'),
  format: z.enum(WEBHOOK_FORMATS, `must be one of ${WEBHOOK_FORMATS.join(', ')}`),
  enabled: z.boolean('must be true or false'),
};

/** The body of POST /webhooks. */
export const createWebhookSchema = z.strictObject({
  url: fields.url.refine((url) => !url.includes(HIDDEN), 'is hidden; send the whole URL'),
  description: fields.description.default(''),
  events: fields.events.default([...EVENT_KINDS]),
  format: fields.format.default('standard'),
  enabled: fields.enabled.default(true),
});

/** The body of POST /webhooks/:id/rotate-secret; none is the same as an empty one. */
export const rotateSecretSchema = z
  .strictObject({ immediate: z.boolean('must be true or false').default(false) })
  .prefault({});

/** A webhook endpoint as the API answers it. */
export const webhookSchema = z
  .strictObject({
    id: z.string().regex(/^whk_/),
    url: z.string(),
    description: z.string(),
    events: z.array(eventKind),
    format: z.enum(WEBHOOK_FORMATS).meta({
      description:
        'standard: the payloads below, signed. slack, discord, teams: a message as an incoming webhook of that product takes it, unsigned',
    }),
    enabled: z.boolean(),
    status: z.enum(['active', 'failing', 'disabled']).meta({
      description: 'failing: the latest try of a delivery failed',
    }),
    failingSince: instantSchema.nullable().meta({ description: 'Since when tries only fail' }),
    autoDisabledAt: instantSchema.nullable().meta({
      description: 'When it was disabled for failing too long; null once it is enabled again',
    }),
    rotationEndsAt: instantSchema.nullable().meta({
      description: 'Until when the old secret signs beside the new one; null: there is one secret',
    }),
    createdAt: instantSchema,
    updatedAt: instantSchema,
  })
  .meta({ id: 'Webhook' });

/** The body of PUT /webhooks/:id. */
export const updateWebhookSchema = changesOf(fields, webhookSchema);

/** An endpoint whose secret is new: the only answers that show it. */
export const newWebhookSchema = webhookSchema
  .extend({ secret: z.string().regex(/^whsec_/) })
  .meta({ id: 'NewWebhook' });

export type Webhook = z.output<typeof webhookSchema>;
export type NewWebhook = z.output<typeof newWebhookSchema>;
export type CreateWebhook = z.output<typeof createWebhookSchema>;
export type RotateSecret = z.output<typeof rotateSecretSchema>;
export type WebhookChanges = z.output<typeof updateWebhookSchema>;
