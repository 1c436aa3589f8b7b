import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestServices, TEST_SECRET_KEY } from '@/lib/testing/services';
import { backUpIfDue } from './scheduled-backups';

const database = useTestDatabase();
const DAY_MS = 86_400_000;
const START = Date.parse('2026-03-05T14:00:00Z');

beforeEach(() => database.db.scheduledBackup.deleteMany());

async function begin({ keep = 7 } = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'pharos-backups-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  let now = new Date(START);
  const services = { db: createTestServices({ db: database.db }).db, clock: { now: () => now } };
  const schedule = {
    directory,
    keep,
    url: database.url,
    passphrase: null,
    version: '0.1.0',
    keys: { SECRET_KEY: TEST_SECRET_KEY, PREVIOUS_SECRET_KEYS: [] },
    log: pino({ level: 'silent' }),
  };
  return {
    directory,
    run: (changes: Partial<typeof schedule> = {}, signal?: AbortSignal) =>
      backUpIfDue(services, { ...schedule, ...changes }, signal),
    pass: (ms: number) => {
      now = new Date(now.getTime() + ms);
    },
    files: async () => (await readdir(directory)).toSorted(),
    read: () => database.db.scheduledBackup.findUnique({ where: { id: 1 } }),
  };
}

it('one of several processes makes the backup of a day', async () => {
  const { directory, run, files } = await begin();
  const made = await Promise.all([run(), run(), run()]);
  const [file, ...others] = made.filter((path) => path !== null);
  expect([file, others]).toEqual([join(directory, 'pharos-20260305T140000Z.backup'), []]);
  expect(await run()).toBeNull();
  expect(await files()).toEqual(['pharos-20260305T140000Z.backup']);
});

it('the oldest are deleted once there are more than configured, and nothing else', async () => {
  const { directory, run, pass, files } = await begin({ keep: 2 });
  await writeFile(join(directory, 'notes.txt'), 'mine');
  await writeFile(join(directory, 'pharos-20260101T000000Z.backup.1.partial'), 'of a killed process');
  for (let day = 0; day < 4; day++) {
    await run();
    pass(DAY_MS);
  }
  expect(await files()).toEqual([
    'notes.txt',
    'pharos-20260307T140000Z.backup',
    'pharos-20260308T140000Z.backup',
  ]);
});

it('a failure is recorded, deletes nothing, and is repeated after 15 minutes', async () => {
  const { directory, run, pass, files, read } = await begin({ keep: 1 });
  await run();
  pass(DAY_MS);
  const blocked = join(directory, 'file');
  await writeFile(blocked, '');
  expect(await run({ directory: blocked })).toBeNull();
  expect(await read()).toMatchObject({ failedAt: new Date(START + DAY_MS) });
  expect(await files()).toContain('pharos-20260305T140000Z.backup');
  pass(60_000);
  expect(await run()).toBeNull();
  pass(15 * 60_000);
  expect(await run()).not.toBeNull();
  expect(await read()).toMatchObject({ failedAt: null });
});

it('one that is stopped leaves no file, and is not a failure', async () => {
  const { run, files, read } = await begin();
  expect(await run({}, AbortSignal.abort())).toBeNull();
  expect([await files(), (await read())?.failedAt]).toEqual([[], null]);
});
