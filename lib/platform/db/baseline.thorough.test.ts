import { describe, expect, it, onTestFinished } from 'vitest';
import { archiveOf, sectionsOf } from '@/lib/platform/backup/testing/archives';
import { createEmptyDatabase, useTestDatabase } from '@/lib/testing/database';
import { restoreBackup } from '../backup/restore/restore-backup';
import { readRows, treatRows } from '../backup/testing/database-rows';
import { migrate, readPendingMigrations } from './migrate';
import { readSchema } from './read-schema';
import {
  addMigrations,
  connectTo,
  MIGRATION_NAMES,
  MIGRATIONS,
  migrateUnnumbered,
} from './testing/old-databases';
import { readVersion, useUnnumbered } from './testing/use-unnumbered';

const fresh = useTestDatabase();
const openOld = useUnnumbered();

describe('a database of the last commit without numbers', () => {
  it('still serves that commit, whose programs may be running, until a migration does not', async () => {
    const { url, client } = await openOld();
    const own = [{ oldest_release: '0.1.0', oldest_migration: '20261127000000_leased_shards' }];
    await migrate({ url, directory: await addMigrations({ name: '1_later', sql: '', serves: 1 }) });
    expect(await readVersion(client)).toEqual(own);
    const last = MIGRATION_NAMES.length + 2;
    const breaking = await addMigrations(
      { name: '1_later', sql: '', serves: 1 },
      { name: '2_rename', sql: '', serves: last },
    );
    await migrate({ url, directory: breaking });
    expect(await readVersion(client)).toEqual([
      { oldest_release: '9.1.0', oldest_migration: `schema ${last}` },
    ]);
  });

  it('has a backup that is restored', async () => {
    const { url, client, tables } = await openOld();
    const sections = await sectionsOf(await archiveOf(url));
    const target = await createEmptyDatabase();
    onTestFinished(target.drop);
    await restoreBackup(sections, { url: target.url, directory: MIGRATIONS });
    const restored = await connectTo(target.url);
    expect(await readRows(restored, tables)).toEqual(treatRows(await readRows(client, tables)));
    expect(await readSchema(restored)).toEqual(await readSchema(await connectTo(fresh.url)));
  });
});

describe('a database of an earlier commit', () => {
  it('is refused with the commit to start once, by every way in; so is its backup', async () => {
    const { url, drop } = await createEmptyDatabase();
    onTestFinished(drop);
    await migrateUnnumbered(url, 90);
    const message = 'has 90 of the 96 migrations before the first release. Start the commit 25e89cf5 once';
    await expect(migrate({ url, directory: MIGRATIONS })).rejects.toThrow(message);
    await expect(readPendingMigrations(await connectTo(url), MIGRATIONS)).rejects.toThrow(message);
    const target = await createEmptyDatabase();
    onTestFinished(target.drop);
    const options = { url: target.url, directory: MIGRATIONS };
    await expect(restoreBackup(await sectionsOf(await archiveOf(url)), options)).rejects.toThrow(
      'has 90 of the 96 migrations before the first release. Restore it with the commit 25e89cf5',
    );
  });
});
