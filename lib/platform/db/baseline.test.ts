import { describe, expect, it } from 'vitest';
import { useTestDatabase } from '@/lib/testing/database';
import { runOn } from '@/lib/testing/database-server';
import { readRows } from '../backup/testing/database-rows';
import { listMigrations, migrate } from './migrate';
import { readSchema } from './read-schema';
import { connectTo, MIGRATION_NAMES, MIGRATIONS } from './testing/old-databases';
import { readVersion, useUnnumbered } from './testing/use-unnumbered';
import { UNNUMBERED_MIGRATIONS } from './unnumbered-migrations';

// Its versions and backups: baseline.thorough.test.ts.

const fresh = useTestDatabase();
const openOld = useUnnumbered();

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
});

describe('a database of an earlier commit', () => {
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
