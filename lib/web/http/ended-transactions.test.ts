import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, type Database, type Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { useTestDatabase } from '@/lib/testing/database';
import { waitFor } from '@/lib/testing/wait-for';
import { problemResponse } from './problem';

const database = useTestDatabase();
let db: Database;

beforeAll(async () => {
  db = createDatabase(database.url, { poolSize: 2, name: 'pharos ended transactions' });
  const user = { id: 'usr_1', email: 'user@example.com', createdAt: new Date(), updatedAt: new Date() };
  await database.db.user.create({ data: user });
  await database.db.$executeRaw`CREATE TABLE contested AS SELECT id FROM generate_series(1, 2) AS id`;
});
afterAll(() => db.$disconnect());

const set = (tx: Transaction, name: string, value: string) =>
  tx.$executeRaw`SELECT set_config(${name}, ${value}, true)`;
const change = (tx: Transaction, id: number) => tx.$executeRaw`UPDATE contested SET id = id WHERE id = ${id}`;

/** A transaction with a limit that its statement passes. */
const limited = (name: string, value = '20ms') =>
  db.$transaction(async (tx) => {
    await set(tx, name, value);
    await tx.$executeRaw`SELECT pg_sleep(20)`;
  });

/** A transaction in which nothing happens until the database has ended it. */
async function idle() {
  await db.$transaction(async (tx) => {
    await set(tx, 'idle_in_transaction_session_timeout', '20ms');
    const [{ pid }] = await tx.$queryRaw<[{ pid: number }]>`SELECT pg_backend_pid() AS pid`;
    await waitFor(async () => {
      const found = await database.db.$queryRaw`SELECT FROM pg_stat_activity WHERE pid = ${pid}`;
      expect(found).toEqual([]);
    });
    await tx.$executeRaw`SELECT 1`;
  });
}

/** A statement that waits for a row that another transaction has locked. */
const waiting = (name: string) =>
  database.db.$transaction(async (other) => {
    await change(other, 1);
    await db.$transaction(async (tx) => {
      await set(tx, name, '20ms');
      await change(tx, 1);
    });
  });

/** Two transactions that wait for each other. */
async function deadlocked() {
  let holders = 0;
  const lock = (first: number, second: number) =>
    db.$transaction(async (tx) => {
      await set(tx, 'deadlock_timeout', '20ms');
      await change(tx, first);
      holders += 1;
      await waitFor(() => expect(holders).toBe(2));
      await change(tx, second);
    });
  await Promise.all([lock(1, 2), lock(2, 1)]);
}

/** A transaction that changes a row after another one has. */
const overtaken = (change: (tx: Transaction) => Promise<unknown>) =>
  db.$transaction(
    async (tx) => {
      await tx.$queryRaw`SELECT FROM contested`;
      await change(database.db);
      await change(tx);
    },
    { isolationLevel: Prisma.TransactionIsolationLevel.RepeatableRead },
  );

it.each<[string, () => Promise<unknown>]>([
  ['idle for too long', idle],
  ['with a statement that took too long', () => limited('statement_timeout')],
  ['that took too long as a whole', () => limited('transaction_timeout')],
  [
    'with a statement that was canceled',
    () => db.$transaction((tx) => tx.$executeRaw`SELECT pg_cancel_backend(pg_backend_pid()), pg_sleep(20)`),
  ],
  [
    'whose session was ended',
    () => db.$transaction((tx) => tx.$executeRaw`SELECT pg_terminate_backend(pg_backend_pid())`),
  ],
  ['that waited for a lock for too long', () => waiting('lock_timeout')],
  ['in a deadlock', deadlocked],
  ['that another one overtook', () => overtaken((tx) => change(tx, 1))],
  [
    'that another one overtook, through a model',
    () => overtaken((tx) => tx.user.updateMany({ data: { updatedAt: new Date() } })),
  ],
  [
    'that the client had given up',
    () =>
      db.$transaction(
        async (tx) => {
          await tx.$executeRaw`SELECT pg_sleep(0.2)`;
          await tx.$executeRaw`SELECT 1`;
        },
        { timeout: 50 },
      ),
  ],
  [
    'that got no connection in time',
    () =>
      Promise.all(
        [1, 2, 3].map(() => db.$transaction((tx) => tx.$executeRaw`SELECT pg_sleep(0.5)`, { maxWait: 50 })),
      ),
  ],
])('a transaction %s is 503 with Retry-After', async (_, run) => {
  const error = await run().then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Error);
  const response = problemResponse(error, 'request-1');
  expect({ status: response.status, retryAfter: response.headers.get('retry-after'), error }).toMatchObject({
    status: 503,
    retryAfter: '5',
  });
});
