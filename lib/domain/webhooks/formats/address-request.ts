import { z } from 'zod';
import { hideCredentials } from '@/lib/domain/webhooks/credentials';
import { editableProduct } from '@/lib/domain/webhooks/messages/products';
import type { DeliveryOutcome } from '@/lib/domain/webhooks/send-delivery';
import { HIDDEN } from '@/lib/schemas/hidden';
import type { Credentials } from '@/lib/schemas/webhooks/credentials';

import { stageOf } from './alert';

/** Where and how a body is sent; `headers` are those besides the ones of every delivery. */
export type AddressedRequest = {
  /** POST by default. */
  method?: 'POST' | 'PATCH';
  url: string;
  headers: Record<string, string>;
  body: string;
};

/** A stored body, the endpoint that it is for, and the payload of its event in our own format. */
type Stored = { format: string; url: string; body: string; event: string; messageKey?: string | null };

type Address = (stored: Stored, credentials: Credentials) => Partial<AddressedRequest>;

const SEQUENCE_ID = /^[\w-]{1,64}$/;

/** How each product takes its credentials, and what belongs together. */
const ADDRESSES: Readonly<Record<string, Address>> = {
  pagerduty: ({ body }, { routingKey }) => ({ body: withFields(body, { routing_key: routingKey }) }),
  opsgenie: ({ url, event }, { apiKey }) => ({
    url: addressAlert(url, event),
    headers: { Authorization: `GenieKey ${apiKey}` },
  }),
  googlechat: ({ url, messageKey = null }) => (messageKey === null ? {} : { url: inThread(url, messageKey) }),
  ntfy: ({ body, messageKey = null }, { topic, token }) => ({
    body: withFields(body, {
      topic,
      // Devices show the newest message of a sequence. Servers before 2.16 ignore it.
      ...(messageKey !== null && SEQUENCE_ID.test(messageKey) ? { sequence_id: messageKey } : {}),
    }),
    ...(token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } }),
  }),
  pushover: ({ body }, { token, user }) => ({ body: withFields(body, { token, user }) }),
};

/** The request that sends a stored body with credentials, and the same without them, as it can be kept. */
export function addressRequest(
  stored: Stored,
  credentials: Credentials,
): { sent: AddressedRequest; shown: AddressedRequest } {
  const { format, url, body } = stored;
  const address = Object.hasOwn(ADDRESSES, format) ? ADDRESSES[format] : undefined;
  const product = editableProduct(format, Object.keys(credentials).length > 0);
  const build = (given: Credentials): AddressedRequest =>
    product?.post({ url, credentials: given }, body) ?? {
      url,
      headers: {},
      body,
      ...address?.(stored, given),
    };
  return { sent: build(credentials), shown: build(hideCredentials(credentials)) };
}

/** The messages of a Google Chat webhook with the same key are a thread. */
function inThread(url: string, key: string): string {
  const address = new URL(url);
  address.searchParams.set('threadKey', key);
  address.searchParams.set('messageReplyOption', 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD');
  return address.href;
}

/** An alert is created at the URL of the endpoint, and acknowledged and closed below it. */
function addressAlert(url: string, event: string): string {
  const { key, stage } = readAlert(event);
  if (stage === 'open') return url;
  const address = new URL(url);
  const action = stage === 'over' ? 'close' : 'acknowledge';
  address.pathname = `${address.pathname.replace(/\/+$/, '')}/${encodeURIComponent(key)}/${action}`;
  address.searchParams.set('identifierType', 'alias');
  return address.href;
}

function withFields(body: string, fields: object): string {
  return JSON.stringify({ ...fields, ...JSON.parse(body) });
}

/** What a stored payload of any version says about its alert, as `toAlert` does. */
const alertSchema = z.object({
  event: z.string(),
  monitor: z.object({ id: z.string() }).optional(),
  incident: z.object({ id: z.string() }).nullish(),
});

function readAlert(payload: string) {
  const { event, monitor, incident } = alertSchema.parse(JSON.parse(payload));
  return { key: monitor?.id ?? incident?.id ?? '', stage: stageOf(event) };
}

/** Shorter values are not secret, and would be found in any text. */
const MIN_SECRET = 5;

/** An outcome without credentials, which a receiver may repeat in its response. */
export function hideSecrets(
  outcome: DeliveryOutcome,
  credentials: Readonly<Record<string, string>>,
): DeliveryOutcome {
  const secrets = Object.values(credentials).filter((value) => value.length >= MIN_SECRET);
  if (secrets.length === 0) return outcome;
  const hide = (text: string) => secrets.reduce((left, secret) => left.replaceAll(secret, HIDDEN), text);
  const { responseHeaders, responseBody, error } = outcome;
  const headers =
    responseHeaders && Object.entries(responseHeaders).map(([name, value]) => [name, hide(value)]);
  return {
    ...outcome,
    responseHeaders: headers && Object.fromEntries(headers),
    responseBody: responseBody && hide(responseBody),
    error: error && hide(error),
  };
}
