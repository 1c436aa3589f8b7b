import { z } from 'zod';
import { hideCredentials } from '@/lib/domain/webhooks/credentials';
import type { DeliveryOutcome } from '@/lib/domain/webhooks/send-delivery';
import { HIDDEN } from '@/lib/schemas/hidden';
import type { Credentials } from '@/lib/schemas/webhooks/credentials';

import { stageOf } from './alert';

/** Where and how a body is sent; `headers` are those besides the ones of every delivery. */
export type AddressedRequest = { url: string; headers: Record<string, string>; body: string };

/** A stored body, the endpoint that it is for, and the payload of its event in our own format. */
type Stored = { format: string; url: string; body: string; event: string };

type Address = (stored: Stored, credentials: Credentials) => Partial<AddressedRequest>;

/** How each product takes its credentials. */
const ADDRESSES: Readonly<Record<string, Address>> = {
  pagerduty: ({ body }, { routingKey }) => ({ body: withFields(body, { routing_key: routingKey }) }),
  opsgenie: ({ url, event }, { apiKey }) => ({
    url: addressAlert(url, event),
    headers: { Authorization: `GenieKey ${apiKey}` },
  }),
  ntfy: ({ body }, { topic, token }) => ({
    body: withFields(body, { topic }),
    ...(token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } }),
  }),
  telegram: ({ url, body }, { token, chatId }) => ({
    url: `${url.replace(/\/+$/, '')}/bot${token}/sendMessage`,
    body: withFields(body, { chat_id: chatId }),
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
  const build = (given: Credentials) => ({ url, headers: {}, body, ...address?.(stored, given) });
  return { sent: build(credentials), shown: build(hideCredentials(credentials)) };
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
