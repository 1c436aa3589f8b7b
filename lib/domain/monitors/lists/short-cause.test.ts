import { expect, it } from 'vitest';
import type { LatestResult } from '@/lib/state/types';
import { formatShortCause } from './short-cause';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const daysLater = (days: number) => NOW.getTime() + days * 86_400_000;

const failed = (code: string, message: string, statusCode: number | null = null): LatestResult => ({
  kind: 'failed',
  error: { code, message },
  statusCode,
  responseTime: null,
  certificateExpiresAt: null,
});
const slow = (responseTime: number | null, certificateExpiresAt: number | null = null): LatestResult => ({
  kind: 'slow',
  error: null,
  statusCode: 200,
  responseTime,
  certificateExpiresAt,
});

it.each([
  ['connection refused', failed('connect', 'connection refused by 10.0.0.5:443')],
  ['connection failed', failed('connect', 'no route to 10.0.0.5:443')],
  ['timeout', failed('timeout', 'no response within 30s')],
  ['HTTP 503', failed('status', 'responded with 503, expected 200', 503)],
  ['DNS error', failed('dns', 'cannot resolve shop.test')],
  ['keyword missing', failed('keyword', 'the body does not contain "ok"', 200)],
  ['status is 500, expected 200–299', failed('assertion', 'status is 500, expected 200–299', 500)],
  ['$.n is 73, expected 1', failed('assertion', 'assertion 2: $.n is 73, expected 1', 200)],
  ['JSON value is missing', failed('assertion', 'assertion 1 failed: JSON value is missing', 200)],
  [`${'x'.repeat(99)}…`, failed('assertion', `assertion 12: ${'x'.repeat(200)}`, 200)],
  ['of a later version', failed('of_a_later_version', 'something new')],
  ['slow response: 6.2s', slow(6180)],
  ['slow response: 5s', slow(5001)],
  ['slow response: 13 ms', slow(13)],
  ['slow response: 6.2s', slow(6180, daysLater(14.1))],
  ['certificate expires in 5 days', slow(13, daysLater(5.9))],
  ['certificate expires within a day', slow(6180, daysLater(0.5))],
  [
    'root certificate “X1” expires in 5 days',
    { ...slow(13, daysLater(5.9)), certificateName: 'root certificate “X1”' },
  ],
  ['certificate has expired', slow(null, daysLater(-1))],
  [null, slow(null)],
  [null, { ...slow(20), kind: 'good' as const }],
])('the list shows %s', (text, cause) => {
  expect(formatShortCause(cause, { tlsExpiryDays: 14 }, NOW)).toBe(text);
});
