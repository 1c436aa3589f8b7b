import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOrganizationByCommand, runPharos } from '@/e2e/support/run-pharos';
import { fillTables, readKnownTables } from '@/lib/platform/db/testing/fill-tables';
import { connectTo, migrateUnnumbered } from '@/lib/platform/db/testing/old-databases';
import { startEmbeddedPostgres } from '@/lib/platform/postgres';
import { createOpenFolder } from '@/lib/testing/open-folder';

const PASSPHRASE = 'correct horse battery staple';

let directory: string;
beforeAll(async () => {
  directory = await createOpenFolder('pharos-backup-');
});
afterAll(() => rm(directory, { recursive: true }));

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
    const stopped = await startEmbeddedPostgres({ dataDir, log: () => undefined, upgradeCommand: 'none' });
    // As an installation of the last commit before the first release.
    const client = await connectTo(stopped.url);
    await client.query('DROP SCHEMA public CASCADE; DROP SCHEMA raw CASCADE; CREATE SCHEMA public');
    await migrateUnnumbered(stopped.url);
    await fillTables(client, await readKnownTables(client), [1, 2, 3]);
    await stopped.stop();
    const migrated = await runPharos(['migrate'], { DATA_DIR: dataDir });
    expect(migrated.code, migrated.stderr).toBe(0);
    const list = async () =>
      (await readdir(join(dataDir, 'backups'))).filter((name) => name.endsWith('.backup'));
    const [name = ''] = await list();
    expect(name).toMatch(/^before-\d{14}-\d+\.\d+\.\d+-untouched\.backup$/);
    expect(migrated.stderr).toContain(`rows backed up to ${join(dataDir, 'backups', name)}`);
    const verified = await runPharos(['restore', join(dataDir, 'backups', name), '--verify']);
    expect(verified.code, verified.stderr).toBe(0);
    const again = await runPharos(['migrate'], { DATA_DIR: dataDir });
    expect(again.code, again.stderr).toBe(0);
    expect(await list()).toEqual([name]);
  });
});
