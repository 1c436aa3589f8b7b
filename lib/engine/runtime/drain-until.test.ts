import { describe, expect, it, onTestFinished } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import { systemClock } from '@/lib/core/time/clock';
import { createWake } from '@/lib/core/time/wake';
import { type Drain, drainUntil, runSideWork } from './drain-until';

/**
 * A drain whose first `failures` polls fail, as while the database is unavailable. Returns when it polled.
 */
function startFailing(failures: number) {
  const wake = createWake();
  const stopping = new AbortController();
  const begunAt = performance.now();
  const looks: number[] = [];
  const done = drainUntil(
    { services: { clock: systemClock }, wake, log: createLogger('silent', 'test') },
    {
      name: 'checks',
      minSleepMs: 20,
      maxQuietMs: 5000,
      startDue: async () => {
        looks.push(performance.now() - begunAt);
        if (looks.length <= failures) throw new Error('the connection was lost');
        return false;
      },
      nextDueAt: async () => null,
    },
    { until: new Date(Date.now() + 60_000), signal: stopping.signal },
  );
  const stop = async () => {
    stopping.abort();
    await done;
  };
  return { looks, wake, stop };
}

describe('a drain that fails', () => {
  it('polls again after a second, then every two, however often it is woken', async () => {
    const { looks, wake, stop } = startFailing(3);
    const ringing = setInterval(wake.ring, 10);
    await expect.poll(() => looks.length).toBeGreaterThanOrEqual(4);
    clearInterval(ringing);
    await stop();
    const [first = 0, second = 0, third = 0, fourth = 0] = looks;
    const pauses = [second - first, third - second, fourth - third];
    for (const [index, promised] of [1000, 2000, 2000].entries()) {
      expect(pauses[index]).toBeGreaterThan(promised - 50);
      expect(pauses[index]).toBeLessThan(promised + 800);
    }
  });

  it('ends immediately when it is stopped', async () => {
    const { looks, stop } = startFailing(Number.POSITIVE_INFINITY);
    await expect.poll(() => looks.length).toBe(1);
    const stoppedAt = performance.now();
    await stop();
    expect(performance.now() - stoppedAt).toBeLessThan(500);
  });
});

describe('a drain with nothing due', () => {
  /** Counts polls and starts; `due` is when work is due, after the start of the drain. */
  function startQuiet({ maxQuietMs, dueMs = null }: { maxQuietMs: number; dueMs?: number | null }) {
    const wake = createWake();
    const stopping = new AbortController();
    const dueAt = dueMs === null ? null : new Date(Date.now() + dueMs);
    const counts = { polls: 0, starts: 0 };
    const drain: Drain = {
      name: 'checks',
      minSleepMs: 20,
      maxQuietMs,
      startDue: async () => {
        counts.starts += 1;
        return false;
      },
      nextDueAt: async () => {
        counts.polls += 1;
        return counts.starts > 1 ? null : dueAt;
      },
    };
    const done = drainUntil(
      { services: { clock: systemClock }, wake, log: createLogger('silent', 'test') },
      drain,
      {
        until: new Date(Date.now() + 60_000),
        signal: stopping.signal,
      },
    );
    onTestFinished(async () => {
      stopping.abort();
      await done;
    });
    return { counts, wake };
  }

  it('polls every second without claiming', async () => {
    const { counts } = startQuiet({ maxQuietMs: 60_000 });
    await expect.poll(() => counts.polls).toBe(3);
    expect(counts.starts).toBe(1);
  });

  it('claims at once when it is woken', async () => {
    const { counts, wake } = startQuiet({ maxQuietMs: 60_000 });
    await expect.poll(() => counts.polls).toBe(1);
    wake.ring();
    await expect.poll(() => counts.starts, { interval: 5 }).toBe(2);
  });

  it('claims when the work falls due that the last poll announced', async () => {
    const { counts } = startQuiet({ maxQuietMs: 60_000, dueMs: 300 });
    await expect.poll(() => counts.starts, { interval: 5 }).toBe(2);
  });

  it('claims all the same after the longest quiet', async () => {
    const { counts } = startQuiet({ maxQuietMs: 500 });
    await expect.poll(() => counts.starts).toBe(3);
  });
});

it('failing side work of a drain blocks nothing', async () => {
  const fail = () => Promise.reject(new Error('one row is broken'));
  await expect(
    runSideWork({ log: createLogger('silent', 'test') }, 'windows', fail),
  ).resolves.toBeUndefined();
});
