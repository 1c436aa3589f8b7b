import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { abortable, abortReason, orAborted, RaceLostError, raceStaggered, startDeadline } from './deadline';
import { NetError } from './net-error';

const STOPPED = new Error('the worker stops');
const REFUSED = new Error('connection refused');
const never = new Promise<never>(() => undefined);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The turn in which what arrived in time is read: these timers take a millisecond for it. */
const turn = () => vi.advanceTimersByTimeAsync(1);

describe('a deadline', () => {
  it('aborts after its time with a timeout that states it', async () => {
    const { signal } = startDeadline(1500);
    await vi.advanceTimersByTimeAsync(1499);
    expect(signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await turn();
    expect(signal.reason).toBeInstanceOf(NetError);
    expect(signal.reason).toMatchObject({ code: 'timeout', message: 'no response within 1.5s' });
  });

  it('states what did not happen', async () => {
    const { signal } = startDeadline(200, undefined, 'no handshake');
    await vi.advanceTimersByTimeAsync(200);
    await turn();
    expect(signal.reason).toMatchObject({ message: 'no handshake within 200 ms' });
  });

  it("aborts with the caller's reason, also if the caller's signal was aborted before", () => {
    const caller = new AbortController();
    const { signal } = startDeadline(1000, caller.signal);
    caller.abort(STOPPED);
    expect(signal.reason).toBe(STOPPED);
    expect(startDeadline(1000, caller.signal).signal.reason).toBe(STOPPED);
  });

  it("ends with the caller's signal if it is not released before, whatever the order of those that are", () => {
    const order = fc.tuple(fc.integer({ min: 1, max: 20 }), fc.array(fc.nat({ max: 19 })));
    fc.assert(
      fc.property(order, ([count, released]) => {
        const caller = new AbortController();
        const deadlines = Array.from({ length: count }, () => startDeadline(1000, caller.signal));
        for (const index of released) deadlines[index]?.release();
        caller.abort(STOPPED);
        const ended = deadlines.map(({ signal }) => signal.aborted);
        expect(ended).toEqual(deadlines.map((_, index) => !released.includes(index)));
        for (const { release } of deadlines) release();
      }),
    );
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends without a trace when released', async () => {
    const caller = new AbortController();
    const { signal, release } = startDeadline(1000, caller.signal);
    release();
    expect(vi.getTimerCount()).toBe(0);
    caller.abort(STOPPED);
    expect(signal.aborted).toBe(false);
  });
});

describe('the reason of an abort', () => {
  it('is the error that was given, or that the check was stopped', () => {
    expect(abortReason(AbortSignal.abort(STOPPED))).toBe(STOPPED);
    const stopped = { code: 'unavailable', message: 'the check was stopped' };
    expect(abortReason(AbortSignal.abort('a text'))).toMatchObject(stopped);
    expect(abortReason(undefined)).toMatchObject(stopped);
  });
});

/** How a promise has settled after some time: its value or its error, or `pending`. */
async function outcomeOf(promise: Promise<unknown>, ms = 10): Promise<unknown> {
  let outcome: unknown = 'pending';
  promise.then(
    (value) => {
      outcome = value;
    },
    (error) => {
      outcome = error;
    },
  );
  await vi.advanceTimersByTimeAsync(ms);
  return outcome;
}

describe('a promise that cannot be canceled', () => {
  it('passes on its outcome until the signal aborts', async () => {
    const { signal } = new AbortController();
    expect(await outcomeOf(orAborted(Promise.resolve(7), signal))).toBe(7);
    expect(await outcomeOf(orAborted(Promise.reject(REFUSED), signal))).toBe(REFUSED);
    expect(await outcomeOf(orAborted(never, signal))).toBe('pending');
    expect(await outcomeOf(orAborted(never, AbortSignal.abort(STOPPED)))).toBe(STOPPED);
  });

  it('may still fail after the abort, unnoticed', async () => {
    const failing = new Promise<never>((_, reject) => setTimeout(() => reject(REFUSED), 20));
    const outcome = orAborted(failing, AbortSignal.abort(STOPPED));
    expect(await outcomeOf(outcome, 30)).toBe(STOPPED);
  });
});

describe('an abortable promise', () => {
  it('cleans up once, knowing whether it resolved, and ignores later callbacks', async () => {
    const { signal } = new AbortController();
    const cleanUp = vi.fn();
    const outcome = abortable<number>(signal, (resolve, reject) => {
      setTimeout(() => {
        resolve(1);
        reject(STOPPED);
        resolve(2);
      });
      return cleanUp;
    });
    expect(await outcomeOf(outcome)).toBe(1);
    expect(cleanUp.mock.calls).toEqual([[true]]);
  });

  it('cleans up when it rejects or is aborted, and no longer listens', async () => {
    const controller = new AbortController();
    const [failed, stopped] = [vi.fn(), vi.fn()];
    const failing = abortable(controller.signal, (_, reject) => {
      setTimeout(() => reject(REFUSED));
      return failed;
    });
    const hanging = abortable(controller.signal, () => stopped);
    expect(await outcomeOf(failing)).toBe(REFUSED);
    controller.abort(STOPPED);
    expect(await outcomeOf(hanging)).toBe(STOPPED);
    expect([failed.mock.calls, stopped.mock.calls]).toEqual([[[false]], [[false]]]);
  });

  it('cleans up even if it settles while it starts', async () => {
    const cleanUp = vi.fn();
    const outcome = abortable<number>(new AbortController().signal, (resolve) => {
      resolve(1);
      return cleanUp;
    });
    expect(await outcomeOf(outcome)).toBe(1);
    expect(cleanUp.mock.calls).toEqual([[true]]);
  });

  it('does not start after the abort', async () => {
    const start = vi.fn();
    expect(await outcomeOf(abortable(AbortSignal.abort(STOPPED), start))).toBe(STOPPED);
    expect(start).not.toHaveBeenCalled();
  });
});

describe('a staggered race', () => {
  /** Races attempts that end after some milliseconds; negative: they fail then. Returns what happened, with times. */
  async function race(durations: number[], stop?: number) {
    const log: string[] = [];
    const controller = new AbortController();
    const begun = Date.now();
    const note = (text: string) => log.push(`${Date.now() - begun} ${text}`);
    if (stop !== undefined) setTimeout(() => controller.abort(STOPPED), stop);
    const outcome = raceStaggered(durations, {
      staggerMs: 100,
      signal: controller.signal,
      discard: (item) => note(`discards ${item}`),
      attempt: (item, signal) => {
        note(`starts ${item}`);
        signal.addEventListener('abort', () => note(`aborts ${item}`));
        return new Promise((resolve, reject) =>
          setTimeout(() => (item > 0 ? resolve(item) : reject(new Error(`${item}`))), Math.abs(item)),
        );
      },
    });
    outcome.then(
      (item) => note(`won by ${item}`),
      (error) => note(error instanceof RaceLostError ? `lost: ${error.errors.join()}` : error.message),
    );
    await vi.advanceTimersByTimeAsync(2000);
    return log;
  }

  it('is won by the first attempt if that is fast, without another', async () => {
    expect(await race([50, 60])).toEqual(['0 starts 50', '50 won by 50']);
  });

  it('starts the next attempt when one is slow, and discards what comes too late', async () => {
    expect(await race([500, 150, 900])).toEqual([
      '0 starts 500',
      '100 starts 150',
      '200 starts 900',
      '250 aborts 500',
      '250 aborts 150',
      '250 aborts 900',
      '250 won by 150',
      '500 discards 500',
      '1100 discards 900',
    ]);
  });

  it('starts the next attempt as soon as one fails, and waits its time again', async () => {
    expect(await race([-30, 500, 20])).toEqual([
      '0 starts -30',
      '30 starts 500',
      '130 starts 20',
      '150 aborts -30',
      '150 aborts 500',
      '150 aborts 20',
      '150 won by 20',
      '530 discards 500',
    ]);
  });

  it('is lost when every attempt failed, with the errors in the order of the items', async () => {
    const log = await race([-150, -20]);
    expect(log.slice(0, 2)).toEqual(['0 starts -150', '100 starts -20']);
    expect(log.at(-1)).toBe('150 lost: Error: -150,Error: -20');
  });

  it('is lost without items', async () => {
    expect(await race([])).toEqual(['0 lost: ']);
  });

  it('ends with the signal, which aborts every attempt', async () => {
    expect(await race([-500, 700], 150)).toEqual([
      '0 starts -500',
      '100 starts 700',
      '150 aborts -500',
      '150 aborts 700',
      '150 the worker stops',
      '800 discards 700',
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
