import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { useTestDatabase } from '@/lib/testing/database';
import type { Database } from './client';
import { createDatabaseClock } from './database-clock';

const database = useTestDatabase();

/** The same database, with late responses to the queries with these numbers (from 0). */
function slowAt(slow: number[]): Pick<Database, '$queryRaw'> {
  let queries = 0;
  const query = async (...question: Parameters<Database['$queryRaw']>) => {
    const rows = await database.db.$queryRaw(...question);
    if (slow.includes(queries++)) await delay(120);
    return rows;
  };
  return { $queryRaw: query as unknown as Database['$queryRaw'] };
}

describe('the clock of the database', () => {
  it('matches the clock of this machine to the millisecond if the database runs on it, even if some responses are late', async () => {
    const frozen = Date.now();
    let isFrozen = false;
    const clock = createDatabaseClock(slowAt([0, 1, 3]), () => (isFrozen ? frozen : Date.now()));
    await clock.measure();
    isFrozen = true;
    expect(clock.now().getTime()).toBe(frozen);
  });

  it.each([-90_000, 90_000])('is followed by a machine whose clock is off by %d ms', async (off) => {
    const clock = createDatabaseClock(slowAt([0, 2]), () => Date.now() + off);
    await clock.measure();
    // Where it does not follow, they are apart by all of it.
    expect(Math.round(Math.abs(clock.now().getTime() - Date.now()) / Math.abs(off))).toBe(0);
  });

  it.each([-7_200_000, 7_200_000])('does not follow a machine whose clock is set by %d ms', async (jump) => {
    const before = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: before });
    onTestFinished(() => void vi.useRealTimers());
    const clock = createDatabaseClock(database.db);
    await clock.measure();
    vi.setSystemTime(before + jump);
    expect(Math.round(Math.abs(clock.now().getTime() - before) / Math.abs(jump))).toBe(0);
  });

  it('is measured again soon after the database was unavailable', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    let isAway = true;
    const query = async () => {
      if (isAway) throw new Error('away');
      return [{ ms: 90_000 }];
    };
    const db = { $queryRaw: query as unknown as Database['$queryRaw'] };
    const clock = createDatabaseClock(db, () => 0);
    onTestFinished(clock.follow());
    await vi.advanceTimersByTimeAsync(6000);
    expect(clock.now().getTime()).toBe(0);
    isAway = false;
    await vi.advanceTimersByTimeAsync(2000);
    expect(clock.now().getTime()).toBe(90_000);
  });

  it('throws while the database is unavailable', async () => {
    const away = { $queryRaw: () => Promise.reject(new Error('away')) } as unknown as Database;
    await expect(createDatabaseClock(away).measure()).rejects.toThrow('away');
  });
});
