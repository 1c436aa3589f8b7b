import { memoizeByObject } from '@/lib/core/calls/memoize';
import type { GuardedResponse } from '@/lib/platform/net/http-request';
import type { ProbeTarget } from '@/lib/schemas/monitor/fields';
import { findFailure } from '../assertions/evaluate';
import { daysUntilEnd, NOTHING_OBSERVED, type Observed } from '../assertions/observed';
import type { ProbeEnvironment } from '../probe-environment';
import { decodeText } from './decode-text';
import type { ReadBody } from './probe-compression';

type Asserting = Pick<ProbeTarget, 'assertions'>;

const statusAssertions = memoizeByObject(({ assertions }: Asserting) =>
  assertions.filter(({ source }) => source === 'status'),
);

const readsBody = ({ assertions }: Asserting) =>
  assertions.some(({ source }) => source === 'body' || source === 'json');

/** Whether the body matters as text, apart from a keyword. */
export function isBodyRead(target: Asserting, { observe }: Pick<ProbeEnvironment, 'observe'>): boolean {
  return observe !== undefined || readsBody(target);
}

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
  { bytes, end, unread }: ReadBody,
  { responseTime, certificateExpiresAt }: { responseTime: number; certificateExpiresAt: Date | null },
): Partial<Observed> {
  const { statusCode, headers, body } = response;
  return {
    status: statusCode,
    headers,
    body: isBodyRead(target, env) ? decodeText(bytes, headers['content-type']) : null,
    bodyEnd: end,
    unread,
    responseTime: Math.round(responseTime),
    size: body.length,
    certificateDays: daysUntilEnd(certificateExpiresAt),
  };
}

/** Until when server-sent events are read: for as long as they are judged, at most until the deadline (null). */
export function eventsUntil(
  target: Asserting & Pick<ProbeTarget, 'keyword'>,
  env: Pick<ProbeEnvironment, 'observe'>,
): string | null {
  const isMeasured = target.assertions.some(({ source }) => source === 'size');
  return isMeasured || isBodyRead(target, env) ? null : (target.keyword ?? '');
}
