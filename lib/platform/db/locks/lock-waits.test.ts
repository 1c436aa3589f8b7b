import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { useTestDatabase } from '@/lib/testing/database';
import { waitFor } from '@/lib/testing/wait-for';
import { createDatabase } from '../client';
import { connectTo } from '../testing/old-databases';
import { isLockTimeout } from './lock-timeout';
import { reportLockWaits } from './lock-waits';

const database = useTestDatabase();
const NOTICE_MS = 300;

/** Somebody who locks a table until the test ends. */
async function lockTable(table: string) {
  const client = await connectTo(database.url, 'a person');
  onTestFinished(() => client.end());
  await client.query('BEGIN');
  await client.query(`LOCK TABLE "${table}"`);
  return client;
}

describe('a statement that waits for a lock', () => {
  it('is reported once, with who holds it, and ends when that is released', async () => {
    const holder = await lockTable('worker');
    const report = vi.fn<(line: string) => void>();
    onTestFinished(reportLockWaits(database.url, report, NOTICE_MS));
    const counted = database.db.worker.count().then((count) => count);
    await waitFor(() => expect(report).toHaveBeenCalled());
    expect(report.mock.calls[0]?.[0]).toMatch(
      /^waiting for a lock in the database, for up to 1m: it is held by process \d+ \(a person, idle in transaction, \d+ s\)$/,
    );
    await holder.query('COMMIT');
    expect(await counted).toBe(0);
    expect(report).toHaveBeenCalledTimes(1);
  });

  it('gives up, and the error says why, through Prisma too', async () => {
    await lockTable('region');
    const db = createDatabase(database.url, { poolSize: 1, name: 'pharos tests' });
    onTestFinished(() => db.$disconnect());
    expect(await db.$queryRaw`SHOW lock_timeout`).toEqual([{ lock_timeout: '1min' }]);
    await db.$executeRaw`SET lock_timeout = 100`;
    const error = await db.region.count().catch((caught: unknown) => caught);
    expect(isLockTimeout(error)).toBe(true);
    const other = await db.$queryRaw`SELECT 1 / 0`.catch((caught: unknown) => caught);
    expect([other, null, new Error('55P03')].map(isLockTimeout)).toEqual([false, false, false]);
  });
});
