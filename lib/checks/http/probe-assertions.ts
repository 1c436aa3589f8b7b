import { memoizeByObject } from '@/lib/core/calls/memoize';
import { formatBytes } from '@/lib/core/text';
import type { GuardedResponse } from '@/lib/platform/net/http-request';
import type { ProbeTarget } from '@/lib/schemas/monitor/fields';
import { findFailure } from '../assertions/evaluate';
import { NOTHING_OBSERVED, type Observed } from '../assertions/observed';
import type { ProbeEnvironment } from '../probe-environment';
import { charsetOf } from './probe-body';

const DAY_MS = 86_400_000;

type Asserting = Pick<ProbeTarget, 'assertions'>;

const statusAssertions = memoizeByObject(({ assertions }: Asserting) =>
  assertions.filter(({ source }) => source === 'status'),
);

const readsBody = ({ assertions }: Asserting) =>
  assertions.some(({ source }) => source === 'body' || source === 'json');

const isBodyRead = (target: Asserting, { observe }: Pick<ProbeEnvironment, 'observe'>) =>
  observe !== undefined || readsBody(target);

/** Whether assertions say which status is expected, instead of `expectedStatusCode`. */
export function hasStatusAssertion(target: Asserting): boolean {
  return target.assertions.length > 0 && statusAssertions(target).length > 0;
}

/** Whether a status is the expected one. */
export function expectsStatus(
  target: Asserting & Pick<ProbeTarget, 'expectedStatusCode'>,
  status: number,
): boolean {
  if (!hasStatusAssertion(target)) return status === target.expectedStatusCode;
  return findFailure(statusAssertions(target), { ...NOTHING_OBSERVED, status }) === null;
}

/** What assertions can be about. The body is decoded only if it is needed. */
export function observe(
  target: Asserting,
  env: Pick<ProbeEnvironment, 'observe'>,
  response: GuardedResponse,
  { responseTime, certificateExpiresAt }: { responseTime: number; certificateExpiresAt: Date | null },
): Partial<Observed> {
  const { statusCode, headers, body, endless } = response;
  return {
    status: statusCode,
    headers,
    body: isBodyRead(target, env) ? (decodeBody(response) ?? body.toString('utf8')) : null,
    bodyEnd: endOf(response),
    unread: endless,
    responseTime: Math.round(responseTime),
    size: body.length,
    certificateDays:
      certificateExpiresAt && Math.floor((certificateExpiresAt.getTime() - Date.now()) / DAY_MS),
  };
}

/** Where the body of a response ends that was not read to its own end; null if it was. */
export function endOf({ endless, truncated, body }: GuardedResponse): string | null {
  if (endless !== null) return formatBytes(body.length);
  return truncated ? '1 MiB' : null;
}

/** Until when server-sent events are read: for as long as they are judged, at most until the deadline (null). */
export function eventsUntil(
  target: Asserting & Pick<ProbeTarget, 'keyword'>,
  env: Pick<ProbeEnvironment, 'observe'>,
): string | null {
  return isBodyRead(target, env) ? null : (target.keyword ?? '');
}

/** The body in the charset that the response names; null if that is UTF-8 or not known. */
export function decodeBody({ headers, body }: Pick<GuardedResponse, 'headers' | 'body'>): string | null {
  const charset = charsetOf(headers['content-type']);
  if (/^utf-?8$/i.test(charset)) return null;
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return null;
  }
}
