import { expect, it, onTestFinished } from 'vitest';
import { useTestDatabase } from '@/lib/testing/database';
import { openCountingDatabase } from '@/lib/testing/statements';
import { Prisma } from './generated/client';
import { createMoments } from './moments';

const database = useTestDatabase();
const AT = new Date('2026-03-10T12:00:00.250Z');
const noon = Prisma.sql`${AT}::timestamptz`;
const none = Prisma.sql`SELECT min(seen_at) FROM worker WHERE FALSE`;

function open() {
  const counting = openCountingDatabase(database.url);
  onTestFinished(() => counting.db.$disconnect());
  return { counting, moments: createMoments(counting.db) };
}

it('moments that are asked for together are read by one statement, each for who asked', async () => {
  const { counting, moments } = open();
  const read = () => Promise.all([noon, none, Prisma.sql`SELECT ${noon} + interval '1 s'`].map(moments));
  await counting.count(async () => expect(await read()).toEqual([AT, null, new Date(AT.getTime() + 1000)]));
  expect(counting.seen('')).toBe(1);
  expect(await counting.count(read), 'nothing is remembered').toBe(1);
});

it.each([
  ['refuses a value', Prisma.sql`to_timestamp(1 / (SELECT 0))`, 'division by zero'],
  ['knows no such table', Prisma.sql`nowhere.at`, 'nowhere'],
  ['finds several', Prisma.sql`SELECT ${noon} FROM generate_series(1, 2)`, 'more than one row'],
])('one of which PostgreSQL %s fails alone', async (_, broken, message) => {
  const { moments } = open();
  const [before, wrong, after] = await Promise.allSettled([noon, broken, none].map(moments));
  expect([before, after]).toEqual([
    { status: 'fulfilled', value: AT },
    { status: 'fulfilled', value: null },
  ]);
  expect(wrong).toMatchObject({ reason: { message: expect.stringContaining(message) } });
});

it('while the database is unavailable, all fail after one statement', async () => {
  let statements = 0;
  const moments = createMoments({
    $queryRaw: (() => {
      statements += 1;
      return Promise.reject(Object.assign(new Error('no connection'), { code: 'ECONNREFUSED' }));
    }) as never,
  });
  const read = await Promise.allSettled([noon, none].map(moments));
  expect(read.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(statements).toBe(1);
});
