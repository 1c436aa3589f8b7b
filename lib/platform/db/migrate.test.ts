import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StartupError } from '@/lib/core/errors';
import { createEmptyDatabase } from '@/lib/testing/database';
import { migrate, readMigrations } from './migrate';

const directory = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));
const names = (await readMigrations(directory)).migrationDirectories.map(({ path }) => path);

type Row = {
  migration_name: string;
  checksum: string;
  finished_at: Date | null;
  rolled_back_at: Date | null;
  applied_steps_count: number;
};

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
    const folder = await mkdtemp(join(tmpdir(), 'pharos-migrations-'));
    await writeFile(join(folder, 'migration_lock.toml'), 'provider = "postgresql"\n');
    await mkdir(join(folder, '1_good'));
    await mkdir(join(folder, '2_broken'));
    await writeFile(
      join(folder, '1_good', 'migration.sql'),
      "-- a; b\nCREATE TABLE one (a text DEFAULT 'x;y');\n",
    );
    await writeFile(
      join(folder, '2_broken', 'migration.sql'),
      'CREATE TABLE two (a text);\nSELECT nonsense;\n',
    );
    await expect(migrate({ url: database.url, directory: folder })).rejects.toThrow(StartupError);

    const client = new Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query(
      "SELECT to_regclass('one')::text AS one, to_regclass('two')::text AS two",
    );
    await client.end();
    expect(rows).toEqual([{ one: 'one', two: null }]);
    await rm(folder, { recursive: true });
  });

  it('applies each migration once if two processes start simultaneously', async () => {
    const { url } = database;
    const applied = await Promise.all([migrate({ url, directory }), migrate({ url, directory })]);
    expect(applied.flat()).toEqual(names);
    expect((await readBookkeeping(url)).map((row) => row.migration_name)).toEqual(names);
  });

  it('applies nothing the second time', async () => {
    await migrate({ url: database.url, directory });
    const before = await readBookkeeping(database.url);
    expect(await migrate({ url: database.url, directory })).toEqual([]);
    expect(await readBookkeeping(database.url)).toEqual(before);
  });
});

it('names DATABASE_URL, host and database when the database cannot be reached, and never the password', async () => {
  const url = 'postgresql://someone:verysecret@127.0.0.1:1/monitoring';
  const error: unknown = await migrate({ url, directory }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StartupError);
  expect(String(error)).toMatch(/DATABASE_URL: .*"monitoring" at 127\.0\.0\.1:1/);
  expect(String(error)).not.toContain('verysecret');
});
