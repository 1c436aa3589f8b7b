import { expect, it, onTestFinished } from 'vitest';
import { useTestDatabase } from '@/lib/testing/database';
import { createDatabase } from './client';
import { isTransactionEnded } from './unavailable';

const database = useTestDatabase();

it('ends a session that does nothing in a transaction for ten seconds, so that a process that stops there holds no locks', async () => {
  expect(await database.db.$queryRaw`SHOW idle_in_transaction_session_timeout`).toEqual([
    { idle_in_transaction_session_timeout: '10s' },
  ]);
});

it('reads and writes times in UTC, whatever the database is set to', async () => {
  expect(await database.db.$queryRaw`SHOW timezone`).toEqual([{ TimeZone: 'UTC' }]);
});

it('compiles no statements, which would take longer than to execute them', async () => {
  expect(await database.db.$queryRaw`SHOW jit`).toEqual([{ jit: 'off' }]);
});

it('starts no parallel workers, which read whole tables for one organization of many', async () => {
  expect(await database.db.$queryRaw`SHOW max_parallel_workers_per_gather`).toEqual([
    { max_parallel_workers_per_gather: '0' },
  ]);
});

it('ends a statement that takes longer than its pool allows, waits for locks included, as one that may succeed later', async () => {
  const db = createDatabase(database.url, { poolSize: 1, name: 'pharos tests', statementTimeoutMs: 50 });
  onTestFinished(() => db.$disconnect());
  await db.$executeRaw`SELECT 1`;
  await database.db.$transaction(async (tx) => {
    await tx.$executeRaw`LOCK TABLE incident`;
    const error: unknown = await db.$queryRaw`SELECT id FROM incident`.catch((reason: unknown) => reason);
    expect(isTransactionEnded(error)).toBe(true);
  });
  expect(await db.$queryRaw`SELECT id FROM incident`).toEqual([]);
});
