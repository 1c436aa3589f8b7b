import { Client } from 'pg';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { archiveOf, sectionsOf } from '@/lib/platform/backup/testing/archives';
import { copyDatabase, createEmptyDatabase, useTestDatabase } from '@/lib/testing/database';
import { runOn } from '@/lib/testing/database-server';
import { restoreBackup } from '../backup/restore/restore-backup';
import { readRows, treatRows } from '../backup/testing/database-rows';
import { listMigrations, migrate, readPendingMigrations } from './migrate';
import { readSchema } from './read-schema';
import { fillTables, readKnownTables } from './testing/fill-tables';
import {
  addMigrations,
  connectTo,
  MIGRATION_NAMES,
  MIGRATIONS,
  migrateUnnumbered,
} from './testing/old-databases';
import { UNNUMBERED_MIGRATIONS } from './unnumbered-migrations';

const fresh = useTestDatabase();
/** Of the last commit without numbers, with rows in every table. */
let template: Awaited<ReturnType<typeof createEmptyDatabase>>;
beforeAll(async () => {
  template = await createEmptyDatabase();
  await migrateUnnumbered(template.url);
  const client = new Client({ connectionString: template.url });
  await client.connect();
  await fillTables(client, await readKnownTables(client), [1, 2, 3]);
  await client.end();
  return template.drop;
});

async function openOld() {
  const { url, drop } = await copyDatabase(template.url);
  onTestFinished(drop);
  const client = await connectTo(url);
  return { url, client, tables: await readKnownTables(client) };
}

const readVersion = async (client: Client) =>
  (await client.query('SELECT oldest_release, oldest_migration FROM schema_compatibility')).rows;

describe('a database of the last commit without numbers', () => {
  it('is one of the first release: same schema, same rows; the migration is recorded', async () => {
    const { url, client, tables } = await openOld();
    const rows = await readRows(client, tables);
    expect(await migrate({ url, directory: MIGRATIONS })).toEqual(MIGRATION_NAMES);
    expect(await readSchema(client)).toEqual(await readSchema(await connectTo(fresh.url)));
    expect(await readRows(client, tables)).toEqual(rows);
    expect(await listMigrations(url)).toEqual([...UNNUMBERED_MIGRATIONS, ...MIGRATION_NAMES].toSorted());
    expect(await migrate({ url, directory: MIGRATIONS })).toEqual([]);
  });

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

  it('is refused if its schema was changed, and says where; what others created does not matter', async () => {
    const { url, client } = await openOld();
    await client.query('CREATE TABLE theirs (a int); CREATE INDEX theirs_too ON monitor (url)');
    await client.query('DROP INDEX delivery_due; ALTER TABLE monitor ALTER COLUMN name DROP NOT NULL');
    const before = await readSchema(client);
    await expect(migrate({ url, directory: MIGRATIONS })).rejects.toThrow(
      /was changed: it lacks "column monitor 4 name text t x" and 1 more\. Nothing was changed/,
    );
    expect(await readSchema(client)).toEqual(before);
    expect(await listMigrations(url)).toEqual(UNNUMBERED_MIGRATIONS);
    await client.query("CREATE INDEX delivery_due ON delivery (next_attempt_at) WHERE status = 'pending'");
    await client.query('ALTER TABLE monitor ALTER COLUMN name SET NOT NULL');
    expect(await migrate({ url, directory: MIGRATIONS })).toEqual(MIGRATION_NAMES);
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

  it('is refused with a migration of somebody else', async () => {
    const { url } = await openOld();
    await runOn(
      url,
      `UPDATE _prisma_migrations SET migration_name = 'theirs' WHERE migration_name LIKE '%_init'`,
    );
    await expect(migrate({ url, directory: MIGRATIONS })).rejects.toThrow(
      'has the migration theirs, which neither this version nor the commit 25e89cf5',
    );
  });
});

it('a new database refuses programs from before numbers, which compare names', async () => {
  const [row] = await readVersion(await connectTo(fresh.url));
  expect(row.oldest_migration).toMatch(/^schema \d+$/);
  // The condition of lib/platform/db/migrate.ts in that commit.
  expect(row.oldest_migration <= (UNNUMBERED_MIGRATIONS.at(-1) ?? '')).toBe(false);
});
