import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startPharos } from '@/e2e/support/run-pharos';
import { connectTo } from '@/lib/platform/db/testing/old-databases';
import { createEmptyDatabase, useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, TEST_SECRET_KEY } from '@/lib/testing/services';
import { callPharos } from '../testing/call-pharos';

const PASSPHRASE = 'correct horse battery staple';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pharos-backup-'));
});
afterAll(() => rm(directory, { recursive: true }));

describe('with a DATABASE_URL', () => {
  const database = useTestDatabase();
  const settings = () => ({ DATABASE_URL: database.url, SECRET_KEY: TEST_SECRET_KEY });
  let file: string;
  beforeAll(async () => {
    await createTestOrganization(createTestServices({ db: database.db }));
    await database.db.instance.updateMany({ data: { secretKeyChecks: ['another key'] } });
    file = join(directory, 'external.backup');
    const { code, stdout, stderr } = await callPharos(['backup', file], {
      ...settings(),
      BACKUP_PASSPHRASE: PASSPHRASE,
    });
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^Backed up \d+ rows of \d+ tables: .+\.\n$/)]);
    expect(JSON.parse(stdout)).toMatchObject({ file, encrypted: true });
  });

  it('a backup is a file for its owner only, next to nothing else', async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await readdir(directory)).filter((name) => name.startsWith('external'))).toEqual([
      'external.backup',
    ]);
    expect((await readFile(file)).includes('owner@')).toBe(false);
  });

  it('never replaces a file', async () => {
    const { code, stderr } = await callPharos(['backup', file], settings());
    expect([code, stderr]).toEqual([1, `${file} already exists: choose another name, or remove it\n`]);
  });

  it('can be verified without a database', async () => {
    const { stdout, stderr } = await callPharos(['restore', file, '--verify'], {
      BACKUP_PASSPHRASE: PASSPHRASE,
    });
    expect([JSON.parse(stdout), stderr]).toEqual([
      {
        createdAt: expect.stringMatching(/^\d{4}-/),
        version: expect.any(String),
        encrypted: true,
        tables: expect.any(Number),
        rows: expect.any(Number),
      },
      '',
    ]);
  });

  it.each([
    {
      what: 'without its passphrase',
      env: { BACKUP_PASSPHRASE: '' },
      message: 'the backup is encrypted: set BACKUP_PASSPHRASE',
    },
    {
      what: 'with a wrong one',
      env: { BACKUP_PASSPHRASE: 'not the passphrase' },
      message: 'the passphrase is not the one that this backup was encrypted with',
    },
  ])('is not read $what', async ({ env, message }) => {
    const { code, stderr } = await callPharos(['restore', file, '--verify'], env);
    expect([code, stderr.trim().split('\n')]).toEqual([1, [expect.stringContaining(message)]]);
  });

  it('takes the passphrase from a file', async () => {
    const path = join(directory, 'passphrase');
    await writeFile(path, `${PASSPHRASE}\n`);
    const { code } = await callPharos(['restore', file, '--verify', '--passphrase-file', path]);
    expect(code).toBe(0);
  });

  it('is restored only with its secret key', async () => {
    const { url, drop } = await createEmptyDatabase();
    onTestFinished(drop);
    const env = { DATABASE_URL: url, SECRET_KEY: TEST_SECRET_KEY, BACKUP_PASSPHRASE: PASSPHRASE };
    const { code, stderr } = await callPharos(['restore', file], env);
    expect([code, stderr.trim().split('\n')]).toEqual([
      1,
      [expect.stringContaining('the backup was made with another secret key: set SECRET_KEY')],
    ]);
    const client = await connectTo(url);
    expect((await client.query("SELECT FROM pg_tables WHERE schemaname = 'public'")).rowCount).toBe(0);
  });

  it('leaves no file when it is interrupted', async () => {
    const [locker, observer] = [await connectTo(database.url), await connectTo(database.url)];
    await locker.query('BEGIN; LOCK TABLE monitor IN ACCESS EXCLUSIVE MODE');
    const path = join(directory, 'interrupted.backup');
    const { child, result } = startPharos(['backup', path], settings());
    const isWaiting = async () =>
      (await readdir(directory)).some((name) => name.startsWith('interrupted.backup')) &&
      (
        await observer.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        )
      ).rowCount;
    await expect.poll(isWaiting).toBeTruthy();
    child.kill('SIGINT');
    const { code, stderr } = await result;
    expect([code, stderr]).toEqual([1, 'interrupted: no backup was written\n']);
    expect((await readdir(directory)).filter((name) => name.startsWith('interrupted'))).toEqual([]);
    await locker.query('ROLLBACK');
  });
});
