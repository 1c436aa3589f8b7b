import { describe, expect, it, onTestFinished } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import { systemClock } from '@/lib/core/time/clock';
import { createWake } from '@/lib/core/time/wake';
import { keepLog } from '@/lib/testing/kept-log';
import { type Drain, drainUntil, runSideWork } from './drain-until';

/**
 * A drain whose first `failures` polls fail, as while the database is unavailable. Returns when it polled.
 */
function startFailing(failures: number) {
  const kept = keepLog();
  const wake = createWake();
  const stopping = new AbortController();
  const looks: number[] = [];
  const done = drainUntil(
    { services: { clock: systemClock }, wake, log: kept.log },
    {
      name: 'checks',
      minSleepMs: 20,
      maxQuietMs: 5000,
      startDue: async () => {
        looks.push(performance.now());
        if (looks.length <= failures) throw new Error('the connection was lost');
        return false;
      },
      nextDueAt: async () => null,
    },
    { until: new Date(Date.now() + 3_600_000), signal: stopping.signal },
  );
  const stop = async () => {
    stopping.abort();
    await done;
  };
  return { looks, wake, stop, pauses: () => kept.lines().map(({ pauseMs }) => pauseMs) };
}

describe('a drain that fails', () => {
  it('polls again after a second, then every two, however often it is woken', async () => {
    const { looks, wake, stop, pauses } = startFailing(3);
    const ringing = setInterval(wake.ring, 10);
    await expect.poll(() => looks.length).toBeGreaterThanOrEqual(4);
    clearInterval(ringing);
    await stop();
    const promised = [1000, 2000, 2000];
    expect(pauses()).toEqual(promised);
    for (const [index, pauseMs] of promised.entries())
      expect((looks[index + 1] ?? 0) - (looks[index] ?? 0)).toBeGreaterThan(pauseMs - 50);
  });

  it('ends when it is stopped, without another look', async () => {
    const { looks, stop } = startFailing(Number.POSITIVE_INFINITY);
    await expect.poll(() => looks.length).toBeGreaterThanOrEqual(1);
    const before = looks.length;
    await stop();
    expect(looks).toHaveLength(before);
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
        until: new Date(Date.now() + 3_600_000),
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
    const begun = performance.now();
    const { counts } = startQuiet({ maxQuietMs: 3_600_000 });
    await expect.poll(() => counts.polls).toBeGreaterThanOrEqual(5);
    // The first poll comes at once, the others with the seconds.
    expect(counts.polls).toBeLessThanOrEqual((performance.now() - begun) / 1000 + 2);
    expect(counts.starts).toBe(1);
  });

  it('claims at once when it is woken', async () => {
    const { counts, wake } = startQuiet({ maxQuietMs: 3_600_000 });
    await expect.poll(() => counts.polls).toBeGreaterThanOrEqual(1);
    wake.ring();
    await expect.poll(() => counts.starts, { interval: 5 }).toBe(2);
  });

  it('claims when the work falls due that the last poll announced', async () => {
    const { counts } = startQuiet({ maxQuietMs: 3_600_000, dueMs: 300 });
    await expect.poll(() => counts.starts, { interval: 5 }).toBe(2);
  });

  it('claims all the same after the longest quiet', async () => {
    const { counts } = startQuiet({ maxQuietMs: 500 });
    await expect.poll(() => counts.starts).toBeGreaterThanOrEqual(3);
  });
});

it('failing side work of a drain blocks nothing', async () => {
  const fail = () => Promise.reject(new Error('one row is broken'));
  await expect(
    runSideWork({ log: createLogger('silent', 'test') }, 'windows', fail),
  ).resolves.toBeUndefined();
});
