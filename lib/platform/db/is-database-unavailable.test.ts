import { beforeAll, describe, expect, it } from 'vitest';
import { useTestDatabase } from '@/lib/testing/database';
import type { Database } from './client';
import { isDatabaseUnavailable, whyUnavailable } from './unavailable';

// While PostgreSQL stops: is-database-unavailable.thorough.test.ts.

const database = useTestDatabase();
let db: Database;
beforeAll(() => {
  db = database.db;
});

const errorOf = (act: () => Promise<unknown>): Promise<unknown> =>
  act().then(
    () => null,
    (error: unknown) => error,
  );
const inJson = (text: string) =>
  db.$executeRaw`SELECT * FROM jsonb_to_recordset(${JSON.stringify([{ text }])}::jsonb) AS r (text text)`;
const anyMail = { where: { id: 'mail_1' } };

describe('values that PostgreSQL rejects', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['half a character in JSON', () => inJson('\ud83d')],
    ['NUL in JSON', () => inJson('\0')],
    ['NUL in text', () => db.$executeRaw`SELECT ${'\0'}::text`],
    ['NUL through a model', () => db.mail.updateMany({ ...anyMail, data: { error: '\0' } })],
    ['a number beyond its column', () => db.$executeRaw`SELECT ${99_999}::smallint`],
    [
      'a row without a partition',
      () => db.$executeRaw`
      INSERT INTO raw.check_result (checked_at, monitor, region, outcome) VALUES ('1990-01-01', 1, 1, 0)`,
    ],
    ['a value that Prisma refuses', () => db.mail.findMany({ where: { createdAt: new Date(Number.NaN) } })],
    ['an error of our own', () => db.$transaction(async () => Promise.reject(new TypeError('ours')))],
  ])('is not retried: %s', async (_, act) => {
    const error = await errorOf(act);
    expect(error).not.toBeNull();
    expect(isDatabaseUnavailable(error)).toBe(false);
  });
});

describe('an unavailable database', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['a connection that is ended', () => db.$executeRaw`SELECT pg_terminate_backend(pg_backend_pid())`],
    [
      'one that is ended in a transaction',
      () =>
        db.$transaction(async (tx) => {
          await tx.$executeRaw`SELECT pg_terminate_backend(pg_backend_pid())`;
          await tx.$executeRaw`SELECT 1`;
        }),
    ],
    [
      'a transaction that takes too long',
      () =>
        db.$transaction(
          async (tx) => {
            await tx.$executeRaw`SELECT pg_sleep(0.3)`;
            await tx.$executeRaw`SELECT 1`;
          },
          { timeout: 100 },
        ),
    ],
    ['a table that is not there yet', () => db.$executeRaw`SELECT * FROM of_the_next_version`],
  ])('is retried: %s', async (_, act) => {
    const error = await errorOf(act);
    expect(error).not.toBeNull();
    expect(isDatabaseUnavailable(error)).toBe(true);
  });
});

describe('08P01, with which PgBouncer reports nearly everything,', () => {
  const reasonOf = (message: string) => whyUnavailable(Object.assign(new Error(message), { code: '08P01' }));

  it.each([
    'server conn crashed?',
    'server login has been failing, try again later (server_login_retry)',
    'query_wait_timeout',
    'no more connections allowed (max_client_conn)',
  ])('is temporary where PostgreSQL is unavailable: %s', (message) => {
    expect(reasonOf(message)).toBe(message);
  });

  it.each(['unsupported startup parameter: options', 'no such database: pharos', ''])(
    'is not where it refuses what is asked: %s',
    (message) => {
      expect(reasonOf(message)).toBeNull();
    },
  );
});
