import type { DeliveryAttempt, Delivery as Row } from '@/lib/platform/db/generated/client';
import { DELIVERY_KINDS, type Delivery, type DeliveryTry, FAILURE_REASONS } from '@/lib/schemas/delivery';
import { HIDDEN, hideHeaders, hideUrl } from '@/lib/schemas/hidden';

/** A delivery with the kind of its event and what its newest try says. */
export type DeliveryRow = Pick<
  Row,
  | 'id'
  | 'number'
  | 'endpointId'
  | 'status'
  | 'reason'
  | 'attempts'
  | 'nextAttemptAt'
  | 'manualAttemptAt'
  | 'createdAt'
  | 'settledAt'
> & { kind: string; lastAttemptAt: Date | null; lastStatusCode: number | null; lastError: string | null };

/** The delivery as the API lists it. */
export function serializeDelivery(row: DeliveryRow): Delivery {
  const event = DELIVERY_KINDS.find((kind) => kind === row.kind);
  if (!event) throw new Error(`a delivery is of the unknown kind ${row.kind}`);
  return {
    id: row.id,
    event,
    webhookId: row.endpointId,
    status: row.status,
    reason: FAILURE_REASONS.find((reason) => reason === row.reason) ?? null,
    attempts: row.attempts,
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    manualAttemptAt: row.manualAttemptAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    settledAt: row.settledAt?.toISOString() ?? null,
    lastAttemptAt: row.lastAttemptAt?.toISOString() ?? null,
    lastStatusCode: row.lastStatusCode,
    lastError: row.lastError,
  };
}

/** One try of a delivery as the API answers it; `body` is what every try of it sends. */
export function serializeTry(row: DeliveryAttempt, body: string): DeliveryTry {
  // Both are written by send-delivery.ts, which makes every value a text.
  const requestHeaders = row.requestHeaders as Record<string, string> | null;
  const responseHeaders = row.responseHeaders as Record<string, string> | null;
  const { statusCode: status, responseBody } = row;
  return {
    id: row.id,
    attempt: row.number,
    manual: row.manual,
    startedAt: row.startedAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
    duration: row.duration,
    statusCode: status,
    responseHeaders,
    responseBody,
    error: row.error,
    request:
      row.url === null || requestHeaders === null ? null : { url: row.url, headers: requestHeaders, body },
    response: status === null ? null : { status, headers: responseHeaders, body: responseBody },
  };
}

/** A part of a path that is as long as this can be a token, which receivers name in their refusals. */
const MIN_TOKEN = 12;

/**
 * A try for who may not change the endpoint: without the path of its URL, also where the receiver repeats it, and without
 * the signatures, with which somebody could send the request again.
 */
export function hideReceiver(each: DeliveryTry): DeliveryTry {
  const { request, response, responseHeaders, responseBody, error } = each;
  if (request === null) return each;
  const { pathname, search } = new URL(request.url);
  const tokens = `${pathname}${search}`.split(/[/?&=]/).filter((part) => part.length >= MIN_TOKEN);
  const parts = [pathname + search, pathname, ...tokens].filter((part) => part.length > 1);
  const hide = (text: string) => parts.reduce((left, part) => left.replaceAll(part, HIDDEN), text);
  const hideIn = (headers: Record<string, string>) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, hide(value)]));
  return {
    ...each,
    error: error && hide(error),
    responseHeaders: responseHeaders && hideIn(responseHeaders),
    responseBody: responseBody && hide(responseBody),
    request: { ...request, url: hideUrl(request.url), headers: hideHeaders(request.headers) },
    response: response && {
      ...response,
      headers: response.headers && hideIn(response.headers),
      body: response.body && hide(response.body),
    },
  };
}
