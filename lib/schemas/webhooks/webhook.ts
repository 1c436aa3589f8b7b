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

/** The format of sent events: our own payload, the messages of a chat product, or alerts for Alertmanager. */
export const WEBHOOK_FORMATS = [
  'standard',
  'slack',
  'discord',
  'teams',
  'mattermost',
  'googlechat',
  'alertmanager',
] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/**
 * The events of a new endpoint for which none are chosen: all in our own format, and one message per change of an incident where people
 * read them. Alertmanager groups monitors itself.
 */
export function defaultEvents(format: WebhookFormat): EventKind[] {
  if (format === 'standard') return [...EVENT_KINDS];
  const of = format === 'alertmanager' ? 'monitor.' : 'incident.';
  return EVENT_KINDS.filter((kind) => kind.startsWith(of));
}

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
  format: 'standard',
  ref: null,
  enabled: true,
} as const satisfies Record<string, unknown>;

/** The fields of a new endpoint. */
export const newWebhookFields = {
  ...creationOf(fields, DEFAULTS),
  url: fields.url.refine((url) => !url.includes(HIDDEN), 'is hidden: send the full URL'),
  events: fields.events
    .nullable()
    .default(null)
    .describe(
      'By default: all in the standard format, `monitor.*` for Alertmanager, and `incident.*` for chat products',
    ),
};

/** The body of POST /webhooks. */
export const createWebhookSchema = z
  .strictObject(newWebhookFields)
  .transform((endpoint) => ({ ...endpoint, events: endpoint.events ?? defaultEvents(endpoint.format) }));

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
        "standard: the payloads below. alertmanager: alerts for its API. The others: a message for that product's incoming webhooks. All are signed",
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
export const updateWebhookSchema = changesOf(
  {
    ...fields,
    events: fields.events.nullable().describe('Null for those of a new endpoint with the same format'),
  },
  webhookSchema,
  DEFAULTS,
);

/** An endpoint with a new secret: the only responses that include the secret. */
export const newWebhookSchema = webhookSchema
  .extend({ secret: z.string().regex(/^whsec_/) })
  .meta({ id: 'NewWebhook' });

export type Webhook = z.output<typeof webhookSchema>;
export type NewWebhook = z.output<typeof newWebhookSchema>;
export type CreateWebhook = z.output<typeof createWebhookSchema>;
export type RotateSecret = z.output<typeof rotateSecretSchema>;
export type WebhookChanges = z.output<typeof updateWebhookSchema>;
