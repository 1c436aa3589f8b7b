import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { StartupError } from '@/lib/core/errors';
import { createEmptyDatabase, createTestDatabase } from '@/lib/testing/database';
import { runOn } from '@/lib/testing/database-server';
import { deployWithEngine } from '@/lib/testing/schema-engine';
import { migrate } from './migrate';
import { readMigrations } from './migrations';

const directory = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));
const names = (await readMigrations(directory)).map(({ name }) => name);

type Row = {
  migration_name: string;
  checksum: string;
  finished_at: Date | null;
  rolled_back_at: Date | null;
  applied_steps_count: number;
};

/** What the first migration creates for the runner. */
const COMPATIBILITY =
  'CREATE TABLE schema_compatibility (id INTEGER PRIMARY KEY DEFAULT 1, oldest_release TEXT, oldest_migration TEXT);';

/** A migration that serves all versions with schema 1, or later ones. */
const numbered = (number: number, sql: string, serves = 1) =>
  `-- Schema: ${number}\n-- Serves: Pharos ${serves}.0.0 (schema ${serves}) and later\n${sql}`;

/** A directory with these migrations, removed after the test. */
async function writeMigrations(scripts: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pharos-migrations-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'migration_lock.toml'), 'provider = "postgresql"\n');
  for (const [name, sql] of Object.entries(scripts)) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, 'migration.sql'), sql);
  }
  return folder;
}

async function readBookkeeping(url: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>('SELECT * FROM _prisma_migrations ORDER BY migration_name')).rows;
  } finally {
    await client.end();
  }
}

describe('migrating an empty database', () => {
  let database: Awaited<ReturnType<typeof createEmptyDatabase>>;

  beforeEach(async () => {
    database = await createEmptyDatabase();
  });
  afterEach(() => database.drop());

  it('records migrations like `prisma migrate deploy`, for which nothing is left, nor for a second time', async () => {
    expect(await migrate({ url: database.url, directory })).toEqual(names);
    const rows = await readBookkeeping(database.url);
    expect(rows.map((row) => row.migration_name)).toEqual(names);
    for (const row of rows) {
      const script = await readFile(`${directory}/${row.migration_name}/migration.sql`);
      expect(row).toMatchObject({
        checksum: createHash('sha256').update(script).digest('hex'),
        finished_at: expect.any(Date),
        rolled_back_at: null,
        applied_steps_count: 1,
      });
    }
    expect(await migrate({ url: database.url, directory })).toEqual([]);
    expect(await readBookkeeping(database.url)).toEqual(rows);
    expect(await deployWithEngine(database.url, directory)).toEqual([]);
  });

  it('runs a migration completely or not at all, whatever its comments and quotes contain', async () => {
    const folder = await writeMigrations({
      good: numbered(1, `${COMPATIBILITY}-- a; b\nCREATE TABLE one (a text DEFAULT 'x;y');\n`),
      broken: numbered(2, 'CREATE TABLE two (a text);\nSELECT nonsense;\n'),
    });
    await expect(migrate({ url: database.url, directory: folder })).rejects.toThrow(StartupError);

    const client = new Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query(
      "SELECT to_regclass('one')::text AS one, to_regclass('two')::text AS two",
    );
    await client.end();
    expect(rows).toEqual([{ one: 'one', two: null }]);
  });

  it('applies each migration once if two processes start simultaneously', async () => {
    const { url } = database;
    const applied = await Promise.all([migrate({ url, directory }), migrate({ url, directory })]);
    expect(applied.flat()).toEqual(names);
    expect((await readBookkeeping(url)).map((row) => row.migration_name)).toEqual(names);
  });

  it('continues after a migration that failed in the engine of Prisma, which itself refuses to', async () => {
    const { url } = database;
    const folder = await writeMigrations({
      '1_table': numbered(1, `${COMPATIBILITY} CREATE TABLE one (a int);`),
      '2_broken': numbered(2, 'SELECT nonsense;'),
    });
    await expect(deployWithEngine(url, folder)).rejects.toThrow();
    await writeFile(join(folder, '2_broken', 'migration.sql'), numbered(2, 'CREATE TABLE two (a int);'));
    await expect(deployWithEngine(url, folder)).rejects.toThrow('failed migrations');
    expect(await migrate({ url, directory: folder })).toEqual(['2_broken']);
    expect(await deployWithEngine(url, folder)).toEqual([]);
  });

  it('completes the record of a migration that the engine committed before it was killed', async () => {
    const { url, close } = await createTestDatabase();
    onTestFinished(close);
    const before = await readBookkeeping(url);
    await runOn(url, 'UPDATE _prisma_migrations SET finished_at = NULL');
    expect(await migrate({ url, directory })).toEqual([]);
    expect(await readBookkeeping(url)).toEqual(
      before.map((row) => ({ ...row, finished_at: expect.any(Date) })),
    );
  });

  it('refuses a database with other tables', async () => {
    await runOn(database.url, 'CREATE TABLE theirs (a int)');
    await expect(migrate({ url: database.url, directory })).rejects.toThrow(/other tables, such as "theirs"/);
  });

  it('serves older versions until a migration states otherwise, and names the version they need', async () => {
    const { url } = database;
    // Their names are in the opposite order.
    const old = { c_first: numbered(1, COMPATIBILITY) };
    const added = { ...old, b_column: numbered(2, 'CREATE TABLE two ();') };
    const broken = { ...added, a_rename: numbered(3, 'ALTER TABLE two RENAME TO three;', 3) };
    const [oldFolder = '', addedFolder = '', brokenFolder = ''] = await Promise.all(
      [old, added, broken].map(writeMigrations),
    );
    expect(await migrate({ url, directory: addedFolder })).toEqual(['c_first', 'b_column']);
    expect(await migrate({ url, directory: oldFolder })).toEqual([]);
    expect(await migrate({ url, directory: brokenFolder })).toEqual(['a_rename']);
    await expect(migrate({ url, directory: addedFolder })).rejects.toThrow(
      /needs Pharos 3\.0\.0 or later, which has schema 3; this version has schema 2\. Update/,
    );
    expect(await migrate({ url, directory: brokenFolder })).toEqual([]);
  });
});

it.each([
  ['without a header', { a: 'SELECT 1;' }, 'the migration a must begin with'],
  ['that serves none', { a: numbered(1, '', 2) }, 'the migration a must begin with'],
  ['with the number of another', { a: numbered(1, ''), b: numbered(1, '') }, 'b must have the number 2'],
  ['after a missing one', { a: numbered(1, ''), b: numbered(3, '') }, 'b must have the number 2'],
])('a migration %s is refused', async (_, scripts: Record<string, string>, message) => {
  await expect(readMigrations(await writeMigrations(scripts))).rejects.toThrow(message);
});

it('names DATABASE_URL, host and database when the database cannot be reached, and never the password', async () => {
  const url = 'postgresql://someone:verysecret@127.0.0.1:1/monitoring';
  const error: unknown = await migrate({ url, directory }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StartupError);
  expect(String(error)).toMatch(/DATABASE_URL: .*"monitoring" at 127\.0\.0\.1:1/);
  expect(String(error)).not.toContain('verysecret');
});
