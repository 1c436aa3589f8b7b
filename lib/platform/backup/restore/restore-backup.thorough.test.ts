import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { readSchema } from '@/lib/platform/db/read-schema';
import { fillTables, readKnownTables } from '@/lib/platform/db/testing/fill-tables';
import {
  connectTo,
  createOldDatabases,
  MIGRATION_NAMES,
  MIGRATIONS,
  type OldDatabases,
} from '@/lib/platform/db/testing/old-databases';
import { createTestDatabase } from '@/lib/testing/database';
import { archiveOf, sectionsOf } from '../testing/archives';
import { readRows, treatRows } from '../testing/database-rows';
import { createTarget, useFilled } from '../testing/use-filled';
import { requireUnused } from './empty-target';
import { restoreBackup } from './restore-backup';

const filled = useFilled();

describe('a restored database', () => {
  it('can be one that was migrated and used for nothing', async () => {
    const target = await createTestDatabase();
    onTestFinished(target.close);
    expect(await requireUnused(target.url).catch((error: Error) => error.message)).toBe('not set up');
    await restoreBackup(await sectionsOf(await archiveOf(filled.url)), {
      url: target.url,
      directory: MIGRATIONS,
    });
    const restored = await connectTo(target.url);
    expect(await readRows(restored, filled.tables)).toEqual(
      treatRows(await readRows(filled.client, filled.tables)),
    );
  });

  it('is one moment of the other, whatever is written meanwhile', async () => {
    const database = await createTestDatabase();
    onTestFinished(database.close);
    const client = await connectTo(database.url);
    await fillTables(client, filled.tables, [1]);
    const before = treatRows(await readRows(client, filled.tables));
    let written: Promise<unknown> | undefined;
    const archive = await archiveOf(database.url, {
      // While the first table is read.
      onProgress: () => {
        written ??= client.query(`DELETE FROM "user"; UPDATE monitor SET name = name || '!'`);
      },
    });
    await written;
    const url = await createTarget();
    await restoreBackup(await sectionsOf(archive), { url, directory: MIGRATIONS });
    expect(await readRows(await connectTo(url), filled.tables)).toEqual(before);
  });
});

describe('the backup of an older version', () => {
  let databases: OldDatabases;
  beforeAll(async () => {
    databases = await createOldDatabases();
  });
  afterAll(() => databases.drop());

  it.each([...MIGRATION_NAMES.keys()])(
    'with schema %d is migrated after its rows are loaded',
    async (schema) => {
      const url = await databases.asOf(schema);
      const old = await connectTo(url);
      const tables = await readKnownTables(old);
      await fillTables(old, tables, [1, 2]);
      const target = await createTarget();
      await restoreBackup(await sectionsOf(await archiveOf(url)), { url: target, directory: MIGRATIONS });
      const restored = await connectTo(target);
      expect(await readSchema(restored)).toEqual(await readSchema(filled.client));
      const { rows } = await restored.query('SELECT id, url FROM monitor ORDER BY id');
      expect(rows).toEqual([
        { id: 'monitor_1', url: 'https://example.com/1' },
        { id: 'monitor_2', url: 'https://example.com/2' },
      ]);
    },
  );
});
