import { describe, expect, it } from 'vitest';
import type { CheckResult } from '@/lib/schemas/monitor/result';
import { findUnavailable } from './check-list';
import { outcomeOf } from './outcomes';

const check = (change: Partial<CheckResult>): CheckResult => ({
  checkedAt: '2026-03-10T14:02:00.000Z',
  region: 'us-east',
  outcome: 'ok',
  trigger: 'schedule',
  late: false,
  responseTime: 20,
  statusCode: null,
  errorCode: null,
  errorMessage: null,
  phases: { dns: null, connect: null, tls: null, firstByte: null, transfer: null },
  ...change,
});

describe('outcomeOf', () => {
  it.each([
    ['ok', 500, null, 'ok'],
    ['ok', 501, null, 'slow'],
    ['ok', 20, 'dns', 'slow'],
    ['failed', 501, 'dns', 'failed'],
    ['unknown', null, 'unavailable', 'unknown'],
  ] as const)(
    'shows %s in %s ms with the error %s as %s with a threshold of 500 ms',
    (outcome, responseTime, errorCode, shown) => {
      expect(outcomeOf({ outcome, responseTime, errorCode }, 500)).toBe(shown);
    },
  );
});

describe('findUnavailable', () => {
  const unable = {
    outcome: 'unknown',
    errorCode: 'unavailable',
    errorMessage: 'ping is unavailable here',
  } as const;

  it('returns the regions and the reason', () => {
    const latest = [
      check(unable),
      check({ region: 'eu-west' }),
      check({ ...unable, region: 'ap-southeast' }),
    ];
    expect(findUnavailable(latest)).toEqual({
      regions: ['us-east', 'ap-southeast'],
      reason: 'ping is unavailable here',
    });
  });

  it('ignores failed and blocked checks', () => {
    const blocked = check({ outcome: 'unknown', errorCode: 'blocked' });
    expect(findUnavailable([check({ outcome: 'failed', errorCode: 'timeout' }), blocked])).toBeNull();
  });
});
