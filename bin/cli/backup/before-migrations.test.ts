import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { addMigrations, type LaterMigration } from '@/lib/platform/db/testing/old-databases';
import { createTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, TEST_SECRET_KEY } from '@/lib/testing/services';
import { version } from '@/package.json';
import { bringUpToDate } from './before-migrations';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const GOOD = { name: '1_good', sql: 'CREATE TABLE good (a int)' };
const BROKEN = { name: '2_broken', sql: 'SELECT nonsense' };
const LATER = { name: '3_later', sql: 'CREATE TABLE later (a int)' };

/** An installation whose clock starts each attempt a minute after the one before, and the names of its backups. */
async function begin() {
  const { url, db, close } = await createTestDatabase();
  onTestFinished(close);
  await createTestOrganization(createTestServices({ db }));
  const directory = await mkdtemp(join(tmpdir(), 'pharos-backups-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  let now = Date.parse('2026-03-01T12:00:00Z');
  const environment = {
    SECRET_KEY: TEST_SECRET_KEY,
    PREVIOUS_SECRET_KEYS: [],
    BACKUP_BEFORE_MIGRATIONS: 'on' as const,
  };
  return {
    /** Resolves to why it failed. */
    start: async (...added: LaterMigration[]) => {
      now += MINUTE;
      const migrations = await addMigrations(...added);
      const options = { url, directory, migrations, report: () => undefined, now: () => new Date(now) };
      return bringUpToDate(options, environment).then(
        () => null,
        (error: Error) => error.message,
      );
    },
    serve: async () => {
      now += MINUTE;
      const servedAt = new Date(now);
      await db.dutiesPresence.upsert({
        where: { duties: 'all' },
        create: { duties: 'all', servedAt },
        update: { servedAt },
      });
    },
    pass: (ms: number) => {
      now += ms;
    },
    list: async () => (await readdir(directory)).filter((name) => name.endsWith('.backup')).toSorted(),
  };
}

it('a migration that fails at every start leaves the first backup alone', async () => {
  const { start, list } = await begin();
  for (let attempt = 1; attempt <= 5; attempt++) {
    expect(await start(GOOD, BROKEN)).toContain('could not apply the migration 2_broken');
    expect(await list()).toEqual([`before-20260301120100-${version}-untouched.backup`]);
  }
});

it('a version that served since is backed up again; the first backup of the upgrade stays, and the last three', async () => {
  const { start, serve, list } = await begin();
  for (let attempt = 1; attempt <= 6; attempt++) {
    await start(GOOD, BROKEN);
    await serve();
  }
  const stamps = ['20260301120100', '20260301120700', '20260301120900', '20260301121100'];
  const states = ['untouched', 'begun', 'begun', 'begun'];
  expect(await list()).toEqual(
    stamps.map((stamp, place) => `before-${stamp}-${version}-${states[place]}.backup`),
  );
});

it.each([
  { passed: DAY - 30 * MINUTE, isKept: true },
  { passed: DAY, isKept: false },
])(
  'the first backup stays for a day after its upgrade: after $passed ms, $isKept',
  async ({ passed, isKept }) => {
    const { start, serve, pass, list } = await begin();
    await start(BROKEN);
    await serve();
    await start(GOOD);
    const [first] = await list();
    await serve();
    pass(passed);
    for (let attempt = 1; attempt <= 5; attempt++) {
      await start(GOOD, { ...BROKEN, name: '3_broken' });
      await serve();
    }
    expect((await list()).includes(first ?? '')).toBe(isKept);
    expect((await list()).filter((name) => name.includes('untouched')).length).toBeGreaterThan(0);
    expect(await start(GOOD, LATER)).toBeNull();
  },
);

it('nothing is backed up without something to migrate', async () => {
  const { start, list } = await begin();
  expect(await start()).toBeNull();
  expect(await list()).toEqual([]);
});
