import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_WAIT_MS, readRetryAfter, sleep, waitBefore } from './retry';

const random = fc.double({ min: 0, max: 1, noNaN: true });

describe('the wait before a retry', () => {
  it('doubles from half a second to eight seconds, and differs at random', () => {
    const longest = [0, 1, 2, 3, 4, 5, 50].map((retry) => waitBefore(retry, null, 1));
    expect(longest).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000]);
    expect(waitBefore(2, null, 0)).toBe(1000);
  });

  it('is never shorter than what the service asks for, nor much longer than a minute', () => {
    fc.assert(
      fc.property(
        fc.nat(100),
        fc.double({ min: 0, max: 1e9, noNaN: true }),
        random,
        (retry, asked, chance) => {
          const waitMs = waitBefore(retry, asked, chance);
          if (asked * 1000 > MAX_WAIT_MS) return waitMs === null;
          return waitMs !== null && waitMs >= asked * 1000 && waitMs <= MAX_WAIT_MS + 500;
        },
      ),
    );
  });

  it.each<[string | null, number | null]>([
    [null, null],
    ['', null],
    ['soon', null],
    ['7', 7],
    ['-3', 0],
    ['1e999', null],
    ['Mon, 01 Mar 2027 10:00:30 GMT', 30],
    ['Mon, 01 Mar 2027 09:00:00 GMT', 0],
  ])('reads Retry-After: %s as %s', (header, seconds) => {
    expect(readRetryAfter(header, Date.parse('2027-03-01T10:00:00Z'))).toBe(seconds);
  });

  it('leaves no listener on a signal that is used for many calls', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const { addEventListener, removeEventListener } = EventTarget.prototype;
    signal.addEventListener = (...args: Parameters<EventTarget['addEventListener']>) => {
      listeners++;
      addEventListener.apply(signal, args);
    };
    signal.removeEventListener = (...args: Parameters<EventTarget['removeEventListener']>) => {
      listeners--;
      removeEventListener.apply(signal, args);
    };
    await sleep(1, signal);
    expect(listeners).toBe(0);
  });
});
