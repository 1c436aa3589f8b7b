import { z } from 'zod';
import { parseHttpUrl } from '@/lib/core/addresses';
import { described } from '@/lib/schemas/described';
import { HIDDEN } from '@/lib/schemas/hidden';
import { headersSchema } from '@/lib/schemas/monitor/fields/headers';
import {
  changesOf,
  createdAtSchema,
  creationOf,
  instantSchema,
  oneOf,
  refText,
  storable,
  text,
  updatedAtSchema,
  versionSchema,
} from '@/lib/schemas/text';
import type { EventGroup, Format } from '@/lib/webhook-formats/format';
import { DEFAULT_FORMAT, formatOf, WEBHOOK_FORMATS, type WebhookFormat } from '@/lib/webhook-formats/formats';
import { credentialsSchema, defaultUrl, findFormatConflicts, hiddenCredentialsSchema } from './credentials';
import { EVENT_KINDS, type EventKind } from './event-kinds';
import { rulesSchema, storedRulesSchema } from './rules';

/**
 * The events of a new endpoint for which none are chosen: all in our own format, and one message per change of an incident where people
 * read them, not about acknowledgements.
 */
export function defaultEvents(format: WebhookFormat): EventKind[] {
  const groups = formatOf(format).events;
  return EVENT_KINDS.filter((kind) => groups.includes(groupOf(kind)));
}

function groupOf(kind: EventKind): EventGroup {
  if (kind === 'incident.acknowledged') return 'acknowledgements';
  return kind.startsWith('monitor.') ? 'monitors' : 'incidents';
}

/** The formats for the API of a product in which people read messages. */
const isOnlyApi = ({ reader, account }: Format) =>
  reader === 'people' && account !== undefined && account.without === undefined;

/** The formats for products that group monitors themselves. */
const isOfMonitors = ({ events }: Format) => !events.includes('incidents');

function namesOf(isMeant: (format: Format) => boolean): string {
  return WEBHOOK_FORMATS.filter((name) => isMeant(formatOf(name))).join(', ');
}

/** More than there are, so that duplicates get their own error. */
const MAX_EVENTS = 50;
const eventKind = oneOf(EVENT_KINDS);

/** Most characters of a template. */
const MAX_TEMPLATE = 10_000;

/** A template as it is written. */
export const templateText = storable(z.string('must be a string')).max(MAX_TEMPLATE, {
  error: `must be at most ${MAX_TEMPLATE} characters`,
  abort: true,
});

const fields = {
  url: text(1, 2048).refine(
    (url) => parseHttpUrl(url) !== null,
    'must be an http or https URL without a username or password',
  ),
  description: described(text(0, 500), 'More for people; null for none', 'Paging'),
  events: z
    .array(eventKind, 'must be an array of event names')
    .min(1, 'must include at least one event')
    .max(MAX_EVENTS, 'must not contain duplicates')
    .refine((events) => new Set(events).size === events.length, 'must not contain duplicates'),
  rules: rulesSchema,
  format: described(oneOf(WEBHOOK_FORMATS), 'The format of the payloads', 'standard'),
  credentials: credentialsSchema,
  headers: described(
    headersSchema,
    'Headers of a custom format. Their values are returned as `[hidden]`',
    {},
  ),
  template: described(
    templateText.nullable(),
    'The body of a custom format: a Liquid template that reads the payload of an event',
    null,
  ),
  acknowledgeLinks: described(
    z.boolean('must be true or false'),
    'Whether messages about an open incident have a link with which any reader acknowledges it; only where people read messages',
    true,
  ),
  ref: described(
    refText.nullable(),
    'Your own ID for this endpoint, unique in the organization',
    'checkout-api',
  ),
  enabled: described(z.boolean('must be true or false'), 'Whether events are sent', true),
};

const DEFAULTS = {
  description: '',
  rules: [],
  format: DEFAULT_FORMAT,
  credentials: {},
  headers: {},
  template: null,
  acknowledgeLinks: true,
  ref: null,
  enabled: true,
} as const satisfies Record<string, unknown>;

/** The fields of a new endpoint. */
export const newWebhookFields = {
  ...creationOf(fields, DEFAULTS),
  url: described(
    fields.url
      .refine((url) => !url.includes(HIDDEN), 'is hidden: send the full URL')
      .nullable()
      .default(null),
    'By default that of the product, where its format has one',
    'https://example.com/hooks/pharos',
  ),
  events: described(
    fields.events.nullable().default(null),
    `By default: all in the standard format, \`monitor.*\` in ${namesOf(isOfMonitors)}, and \`incident.*\` in the others, without \`incident.acknowledged\` where people read messages`,
    ['monitor.down', 'monitor.up'],
  ),
};

/** The body of POST /webhooks. */
export const createWebhookSchema = z
  .strictObject(newWebhookFields)
  .superRefine((endpoint, issues) => {
    for (const { path, message } of findFormatConflicts(endpoint)) {
      issues.addIssue({ code: 'custom', path: path.split('.'), message });
    }
    for (const part of ['credentials', 'headers'] as const) {
      for (const [name, value] of Object.entries(endpoint[part])) {
        const message = 'is hidden: send the value itself';
        if (value === HIDDEN) issues.addIssue({ code: 'custom', path: [part, name], message });
      }
    }
  })
  .transform(({ url, events, ...endpoint }) => ({
    ...endpoint,
    url: url ?? defaultUrl(endpoint.format, endpoint.credentials) ?? '',
    events: events ?? defaultEvents(endpoint.format),
  }));

/** The body of POST /webhooks/:id/rotate-secret; no body is the same as an empty one. */
export const rotateSecretSchema = z
  .strictObject({
    immediate: z
      .boolean('must be true or false')
      .default(false)
      .describe('Whether the old secret stops signing at once'),
  })
  .prefault({});

/** A webhook endpoint as the API returns it. */
export const webhookSchema = z
  .strictObject({
    id: described(z.string().regex(/^whk_/), 'The ID of the endpoint', 'whk_01kxk1t6y9b2e5h8m1p4s7v0xc'),
    url: described(z.string(), 'Where events are sent', 'https://example.com/hooks/pharos'),
    description: described(z.string(), 'More for people; null for none', 'Paging'),
    events: described(z.array(eventKind), 'The events to send; all by default', [
      'monitor.down',
      'monitor.up',
    ]),
    rules: storedRulesSchema.describe(
      'Events are sent if all conditions of one of these rules hold; empty: all events are sent',
    ),
    format: described(
      z.enum(WEBHOOK_FORMATS),
      `${DEFAULT_FORMAT}: the payloads below. ${namesOf(({ reader }) => reader === 'alerts')}: alerts for its API. ${namesOf(isOnlyApi)}: a message for its API. The others: a message for that product's incoming webhooks. All are signed`,
      'standard',
    ),
    credentials: hiddenCredentialsSchema.describe(
      'What the product identifies you by; `[hidden]` for each that is set',
    ),
    headers: described(z.record(z.string(), z.string()), '`[hidden]` for the value of each', {}),
    template: described(
      z.string().nullable(),
      'The Liquid template of a custom format; null for others',
      null,
    ),
    acknowledgeLinks: described(
      z.boolean(),
      'Whether messages about an open incident have a link that acknowledges it',
      true,
    ),
    ref: described(
      z.string().nullable(),
      'Your own ID for this endpoint, unique in the organization',
      'checkout-api',
    ),
    enabled: described(z.boolean(), 'Whether events are sent', true),
    status: z
      .enum(['active', 'failing', 'disabled'])
      .describe('Whether deliveries arrive; failing: the latest attempt failed'),
    failingSince: described(instantSchema.nullable(), 'When attempts started to fail', null),
    autoDisabledAt: described(
      instantSchema.nullable(),
      'When it was disabled because deliveries kept failing; null once it is enabled again',
      null,
    ),
    rotationEndsAt: described(
      instantSchema.nullable(),
      'Until then both the old and the new secret sign; null if there is only one secret',
      null,
    ),
    version: versionSchema,
    createdAt: createdAtSchema,
    updatedAt: updatedAtSchema,
  })
  .meta({ id: 'Webhook' });

/** The body of PUT /webhooks/:id. */
export const updateWebhookSchema = changesOf(
  {
    ...fields,
    url: described(
      fields.url.nullable(),
      'Null for that of the product, where its format has one',
      'https://example.com/hooks/pharos',
    ),
    events: described(fields.events.nullable(), 'Null for those of a new endpoint with the same format', [
      'monitor.down',
      'monitor.up',
    ]),
  },
  webhookSchema,
  DEFAULTS,
);

/** An endpoint with a new secret: the only responses that include the secret. */
export const newWebhookSchema = webhookSchema
  .extend({
    secret: described(
      z.string().regex(/^whsec_/),
      'The signing secret, returned only once',
      'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
    ),
  })
  .meta({ id: 'NewWebhook' });

export type Webhook = z.output<typeof webhookSchema>;
export type NewWebhook = z.output<typeof newWebhookSchema>;
export type CreateWebhook = z.output<typeof createWebhookSchema>;
export type RotateSecret = z.output<typeof rotateSecretSchema>;
export type WebhookChanges = z.output<typeof updateWebhookSchema>;
