import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createOrganizationByCommand, runPharos } from '@/e2e/support/run-pharos';
import { childEnvironment, VARIABLE_NAMES } from '@/lib/env';
import { withBackupConnection } from '@/lib/platform/backup/snapshot/connect';
import { connectTo } from '@/lib/platform/db/testing/old-databases';
import { UNNUMBERED_MIGRATIONS } from '@/lib/platform/db/unnumbered-migrations';
import { startEmbeddedPostgres } from '@/lib/platform/postgres';
import { createEmptyDatabase, useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, TEST_SECRET_KEY } from '@/lib/testing/services';

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
    const { code, stdout, stderr } = await runPharos(['backup', file], {
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
    const { code, stderr } = await runPharos(['backup', file], settings());
    expect([code, stderr]).toEqual([1, `${file} already exists: choose another name, or remove it\n`]);
  });

  it('can be verified without a database', async () => {
    const { stdout, stderr } = await runPharos(['restore', file, '--verify'], {
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
    const { code, stderr } = await runPharos(['restore', file, '--verify'], env);
    expect([code, stderr.trim().split('\n')]).toEqual([1, [expect.stringContaining(message)]]);
  });

  it('takes the passphrase from a file', async () => {
    const path = join(directory, 'passphrase');
    await writeFile(path, `${PASSPHRASE}\n`);
    const { code } = await runPharos(['restore', file, '--verify', '--passphrase-file', path]);
    expect(code).toBe(0);
  });

  it('is restored only with its secret key', async () => {
    const { url, drop } = await createEmptyDatabase();
    onTestFinished(drop);
    const env = { DATABASE_URL: url, SECRET_KEY: TEST_SECRET_KEY, BACKUP_PASSPHRASE: PASSPHRASE };
    const { code, stderr } = await runPharos(['restore', file], env);
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
    const unset = Object.fromEntries(VARIABLE_NAMES.map((name) => [name, '']));
    const program = fileURLToPath(new URL('../../pharos.mjs', import.meta.url));
    const child = spawn(process.execPath, [program, 'backup', path], {
      env: childEnvironment({ ...unset, ...settings() }),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (data) => {
      stderr += data;
    });
    const isWaiting = async () =>
      (await readdir(directory)).some((name) => name.startsWith('interrupted.backup')) &&
      (await observer.query(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'`)).rowCount;
    await expect.poll(isWaiting).toBeTruthy();
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    expect([code, stderr]).toEqual([1, 'interrupted: no backup was written\n']);
    expect((await readdir(directory)).filter((name) => name.startsWith('interrupted'))).toEqual([]);
    await locker.query('ROLLBACK');
  });
});

describe('with the embedded database', () => {
  it('an encrypted backup is all that another machine needs', async () => {
    const [from, to] = [join(directory, 'from'), join(directory, 'to')];
    const created = await createOrganizationByCommand(from);
    const file = join(directory, 'embedded.backup');
    const backup = await runPharos(['backup', file], { DATA_DIR: from, BACKUP_PASSPHRASE: PASSPHRASE });
    expect(backup.code, backup.stderr).toBe(0);
    const restored = await runPharos(['restore', file], { DATA_DIR: to, BACKUP_PASSPHRASE: PASSPHRASE });
    expect(restored.code, restored.stderr).toBe(0);
    const users = await runPharos(['user', 'list'], { DATA_DIR: to });
    expect(JSON.parse(users.stdout)).toMatchObject({ users: [{ id: created.userId }] });
    const again = await runPharos(['restore', file], { DATA_DIR: to, BACKUP_PASSPHRASE: PASSPHRASE });
    expect([again.code, again.stderr.trim().split('\n').at(-1)]).toEqual([
      1,
      'the database already contains an installation: restore into an empty one, with another DATA_DIR or DATABASE_URL',
    ]);
  });

  it('an unencrypted one needs secrets.json too, and names it', async () => {
    const [from, to] = [join(directory, 'from-plain'), join(directory, 'to-plain')];
    await createOrganizationByCommand(from);
    const file = join(directory, 'plain.backup');
    const { stderr } = await runPharos(['backup', file], { DATA_DIR: from });
    expect(stderr).toContain(`keep ${join(from, 'secrets.json')} too`);
    const without = await runPharos(['restore', file], { DATA_DIR: to });
    expect([without.code, without.stderr]).toEqual([1, expect.stringContaining('another secret key')]);
    const secrets = join(from, 'secrets.json');
    const restored = await runPharos(['restore', file, '--secrets', secrets], { DATA_DIR: to });
    expect(restored.code, restored.stderr).toBe(0);
    expect((await runPharos(['user', 'list'], { DATA_DIR: to })).code).toBe(0);
  });

  it('is backed up before it is migrated to a new version, once', async () => {
    const dataDir = join(directory, 'upgraded');
    await createOrganizationByCommand(dataDir);
    const stopped = await startEmbeddedPostgres({ dataDir, log: () => undefined });
    // As in an installation of the last commit before the first release.
    await withBackupConnection(stopped.url, async (client) => {
      const names = UNNUMBERED_MIGRATIONS.map((name) => `(gen_random_uuid(), '', '${name}', now())`);
      await client.query(
        `DELETE FROM _prisma_migrations;
         INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ${names.join()}`,
      );
    });
    await stopped.stop();
    const migrated = await runPharos(['migrate'], { DATA_DIR: dataDir });
    const list = async () =>
      (await readdir(join(dataDir, 'backups'))).filter((name) => name.endsWith('.backup'));
    const [name = ''] = await list();
    expect(name).toMatch(/^before-\d{14}-\d+\.\d+\.\d+-untouched\.backup$/);
    expect(migrated.stderr).toContain(`rows backed up to ${join(dataDir, 'backups', name)}`);
    const verified = await runPharos(['restore', join(dataDir, 'backups', name), '--verify']);
    expect(verified.code, verified.stderr).toBe(0);
    await runPharos(['migrate'], { DATA_DIR: dataDir });
    expect(await list()).toEqual([name]);
  });
});
