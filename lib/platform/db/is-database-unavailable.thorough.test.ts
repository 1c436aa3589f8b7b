import { afterAll, beforeAll, expect, it } from 'vitest';
import { type StoppableDatabase, startStoppableDatabase } from '@/lib/testing/stoppable-database';
import { createDatabase, type Database } from './client';
import { isDatabaseUnavailable } from './unavailable';

let server: StoppableDatabase;
let db: Database;

beforeAll(async () => {
  server = await startStoppableDatabase();
  db = createDatabase(server.url, { poolSize: 3, name: 'test' });
});
afterAll(async () => {
  await db.$disconnect();
  await server.close();
});

const errorOf = (act: () => Promise<unknown>): Promise<unknown> =>
  act().then(
    () => null,
    (error: unknown) => error,
  );

it('an unavailable database is detected while PostgreSQL stops, and after that', async () => {
  const cut = errorOf(() => db.$executeRaw`SELECT pg_sleep(20)`);
  await expect
    .poll(async () => {
      const [row] = await db.$queryRaw<[{ count: number }]>`
        SELECT count(*)::int AS count FROM pg_stat_activity WHERE wait_event = 'PgSleep'`;
      return row.count;
    })
    .toBe(1);
  await server.stop();
  const stopped = [
    await cut,
    await errorOf(() => db.$executeRaw`SELECT 1`),
    await errorOf(() => db.$transaction(async (tx) => tx.$executeRaw`SELECT 1`)),
    await errorOf(() => db.mail.updateMany({ where: { id: 'mail_1' }, data: { error: 'a' } })),
  ];
  await server.start();
  expect(stopped.map(isDatabaseUnavailable)).toEqual([true, true, true, true]);
});
