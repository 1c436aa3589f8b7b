import { describe, expect, it } from 'vitest';
import { isTimeout, runWithTimeout } from './run-with-timeout';

/** Would run for longer than any test, without a call that could check a time. */
function spin(): string {
  for (let each = 0; each >= 0; each = (each + 1) % 1000);
  return '';
}

/** What a function throws. */
function errorOf(run: () => string): unknown {
  try {
    runWithTimeout(run);
    return null;
  } catch (error) {
    return error;
  }
}

describe('a function with a timeout', () => {
  it('is interrupted by V8, which names the 50 ms that it was given', () => {
    const error = errorOf(spin);
    expect(isTimeout(error)).toBe(true);
    expect(String(error)).toContain('timed out after 50ms');
  });

  it('is interrupted within what it calls, and cannot catch that', () => {
    const error = errorOf(() => {
      try {
        return ['a'].map(spin).join('');
      } catch {
        return 'caught';
      } finally {
        spin();
      }
    });
    expect(isTimeout(error)).toBe(true);
  });

  it('returns what it returns and throws what it throws, also after one that was interrupted', () => {
    errorOf(spin);
    expect(runWithTimeout(() => 'done')).toBe('done');
    const own = errorOf(() => {
      throw new Error('its own');
    });
    expect([isTimeout(own), String(own)]).toEqual([false, 'Error: its own']);
  });
});
