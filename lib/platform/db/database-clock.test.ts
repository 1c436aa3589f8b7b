import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { useTestDatabase } from '@/lib/testing/database';
import type { Database } from './client';
import { createDatabaseClock } from './database-clock';

const database = useTestDatabase();

/** The same database, whose answers to the questions of these numbers (from 0) come late. */
function slowAt(slow: number[]): Pick<Database, '$queryRaw'> {
  let asked = 0;
  const ask = async (...question: Parameters<Database['$queryRaw']>) => {
    const answer = await database.db.$queryRaw(...question);
    if (slow.includes(asked++)) await delay(120);
    return answer;
  };
  return { $queryRaw: ask as unknown as Database['$queryRaw'] };
}

describe('the clock of the database', () => {
  it('is this machine’s to the millisecond where they share one, however late some answers come', async () => {
    const frozen = Date.now();
    let isFrozen = false;
    const clock = createDatabaseClock(slowAt([0, 1, 3]), () => (isFrozen ? frozen : Date.now()));
    await clock.measure();
    isFrozen = true;
    expect(clock.now().getTime()).toBe(frozen);
  });

  it.each([-90_000, 90_000])('is followed from a machine whose own is off by %d ms', async (off) => {
    const clock = createDatabaseClock(slowAt([0, 2]), () => Date.now() + off);
    await clock.measure();
    expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(60);
  });

  it('is measured soon again after the database was unavailable', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    let isAway = true;
    const ask = async () => {
      if (isAway) throw new Error('away');
      return [{ ms: 90_000 }];
    };
    const db = { $queryRaw: ask as unknown as Database['$queryRaw'] };
    const clock = createDatabaseClock(db, () => 0);
    onTestFinished(clock.follow());
    await vi.advanceTimersByTimeAsync(6000);
    expect(clock.now().getTime()).toBe(0);
    isAway = false;
    await vi.advanceTimersByTimeAsync(2000);
    expect(clock.now().getTime()).toBe(90_000);
  });

  it('says so when the database is away', async () => {
    const away = { $queryRaw: () => Promise.reject(new Error('away')) } as unknown as Database;
    await expect(createDatabaseClock(away).measure()).rejects.toThrow('away');
  });
});
