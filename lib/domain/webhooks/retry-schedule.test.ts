import { describe, expect, it } from 'vitest';
import { nextAttemptAt, nextScheduledAttempt } from './retry-schedule';

const FAILED_AT = new Date('2026-01-01T00:00:00.000Z');

describe('retry schedule', () => {
  it.each([
    [1, '2026-01-01T00:01:00.000Z'],
    [2, '2026-01-01T00:05:00.000Z'],
    [3, '2026-01-01T00:30:00.000Z'],
    [4, '2026-01-01T02:00:00.000Z'],
    [5, '2026-01-02T00:00:00.000Z'],
  ])('retries after failure %i at %s', (failures, at) => {
    expect(nextAttemptAt(failures, FAILED_AT)?.toISOString()).toBe(at);
  });

  it('ends after the fifth retry has failed', () => {
    expect(nextAttemptAt(6, FAILED_AT)).toBeNull();
  });

  it('numbers its attempts', () => {
    expect([0, 2, 5].map(nextScheduledAttempt)).toEqual([
      { number: 1, of: 6 },
      { number: 3, of: 6 },
      { number: 6, of: 6 },
    ]);
  });
});
