import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { StartupError } from '@/lib/core/errors';
import { createEmptyDatabase } from '@/lib/testing/database';
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

/** The first migration with a header. */
const FIRST_STATED = '20261125000000_schema_compatibility';

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

  it('records migrations like `prisma migrate deploy`', async () => {
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
  });

  it('runs a migration completely or not at all, whatever its comments and quotes contain', async () => {
    const folder = await writeMigrations({
      '1_good': "-- a; b\nCREATE TABLE one (a text DEFAULT 'x;y');\n",
      '2_broken': 'CREATE TABLE two (a text);\nSELECT nonsense;\n',
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

  it('leaves nothing to do for `prisma migrate deploy`', async () => {
    await migrate({ url: database.url, directory });
    expect(await deployWithEngine(database.url, directory)).toEqual([]);
  });

  it('continues after a migration that failed in the engine of Prisma, which itself refuses to', async () => {
    const { url } = database;
    const folder = await writeMigrations({
      '1_table': 'CREATE TABLE one (a int);',
      '2_broken': 'SELECT nonsense;',
    });
    await expect(deployWithEngine(url, folder)).rejects.toThrow();
    await writeFile(join(folder, '2_broken', 'migration.sql'), 'CREATE TABLE two (a int);');
    await expect(deployWithEngine(url, folder)).rejects.toThrow('failed migrations');
    expect(await migrate({ url, directory: folder })).toEqual(['2_broken']);
    expect(await deployWithEngine(url, folder)).toEqual([]);
  });

  it('completes the record of a migration that the engine committed before it was killed', async () => {
    const { url } = database;
    await migrate({ url, directory });
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
    const table = await readFile(join(directory, FIRST_STATED, 'migration.sql'), 'utf8');
    const old = { '1_compatible': table.replace(/\(\w+\) and later/, '(1_compatible) and later') };
    const added = { ...old, '2_column': '-- Serves: Pharos 1.0.0 (1_compatible) and later\nSELECT 1;' };
    const broken = { ...added, '3_rename': '-- Serves: Pharos 2.0.0 (3_rename) and later\nSELECT 1;' };
    const [oldFolder, addedFolder, brokenFolder] = await Promise.all(
      [old, added, broken].map(writeMigrations),
    );
    await migrate({ url, directory: addedFolder ?? '' });
    expect(await migrate({ url, directory: oldFolder ?? '' })).toEqual([]);
    await migrate({ url, directory: brokenFolder ?? '' });
    await expect(migrate({ url, directory: addedFolder ?? '' })).rejects.toThrow(
      /needs Pharos 2\.0\.0 or later, which contains the migration 3_rename; this version ends with 2_column\. Update/,
    );
    expect(await migrate({ url, directory: brokenFolder ?? '' })).toEqual([]);
  });

  it('applies nothing the second time', async () => {
    await migrate({ url: database.url, directory });
    const before = await readBookkeeping(database.url);
    expect(await migrate({ url: database.url, directory })).toEqual([]);
    expect(await readBookkeeping(database.url)).toEqual(before);
  });
});

it('every new migration states the oldest version that it serves', async () => {
  const migrations = await readMigrations(directory);
  for (const { name, serves } of migrations.filter(({ name }) => name >= FIRST_STATED)) {
    expect(serves, name).not.toBeNull();
    expect(names.slice(0, names.indexOf(name) + 1), name).toContain(serves?.migration);
    expect(serves?.release, name).toMatch(/^\d+\.\d+\.\d+$/);
  }
});

it('names DATABASE_URL, host and database when the database cannot be reached, and never the password', async () => {
  const url = 'postgresql://someone:verysecret@127.0.0.1:1/monitoring';
  const error: unknown = await migrate({ url, directory }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StartupError);
  expect(String(error)).toMatch(/DATABASE_URL: .*"monitoring" at 127\.0\.0\.1:1/);
  expect(String(error)).not.toContain('verysecret');
});
