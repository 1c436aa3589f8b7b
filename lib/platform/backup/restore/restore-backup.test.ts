import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { readSchema } from '@/lib/platform/db/read-schema';
import { fillTables, type KnownTable, readKnownTables } from '@/lib/platform/db/testing/fill-tables';
import {
  connectTo,
  createOldDatabases,
  MIGRATION_NAMES,
  MIGRATIONS,
  type OldDatabases,
} from '@/lib/platform/db/testing/old-databases';
import { createEmptyDatabase, createTestDatabase, useTestDatabase } from '@/lib/testing/database';
import { archiveOf, sectionsOf } from '../testing/archives';
import { readRows, treatRows } from '../testing/database-rows';
import { requireUnused } from './empty-target';
import { restoreBackup } from './restore-backup';

const source = useTestDatabase();
let filled: { client: Client; tables: KnownTable[] };
beforeAll(async () => {
  const { Client } = await import('pg');
  const client = new Client({ connectionString: source.url });
  client.on('error', () => undefined);
  await client.connect();
  const tables = await readKnownTables(client);
  await fillTables(client, tables, [1, 2, 3]);
  // Several chunks, and what COPY has to escape.
  await client.query(
    `UPDATE marker SET description = (SELECT string_agg(md5(n || id), E'\\n\\t\\\\') FROM generate_series(1, 5000) AS n)`,
  );
  filled = { client, tables };
});
afterAll(() => filled.client.end());

async function createTarget(): Promise<string> {
  const { url, drop } = await createEmptyDatabase();
  onTestFinished(drop);
  return url;
}

describe('a restored database', () => {
  it('has the rows, the schema and the next numbers of the one that was backed up', async () => {
    const { client, tables } = filled;
    const url = await createTarget();
    const end = await restoreBackup(await sectionsOf(await archiveOf(source.url)), {
      url,
      directory: MIGRATIONS,
    });
    const restored = await connectTo(url);
    expect(await readRows(restored, tables)).toEqual(treatRows(await readRows(client, tables)));
    expect(await readSchema(restored)).toEqual(await readSchema(client));
    const sequences = `SELECT sequencename, last_value FROM pg_sequences WHERE last_value IS NOT NULL ORDER BY 1`;
    expect((await restored.query(sequences)).rows).toEqual((await client.query(sequences)).rows);
    expect(end.tables.find(({ name }) => name === 'public.monitor')).toMatchObject({ rows: 3 });
    const { rows } = await restored.query("SELECT tgrelid::regclass FROM pg_trigger WHERE tgenabled <> 'O'");
    expect(rows).toEqual([]);
  });

  it('can be one that was migrated and used for nothing', async () => {
    const target = await createTestDatabase();
    onTestFinished(target.close);
    expect(await requireUnused(target.url).catch((error: Error) => error.message)).toBe('not set up');
    await restoreBackup(await sectionsOf(await archiveOf(source.url)), {
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

describe('a restore refuses', () => {
  it('a database with an installation', async () => {
    await expect(requireUnused(source.url)).rejects.toThrow(
      'the database already contains an installation: restore into an empty one, with another DATA_DIR or DATABASE_URL',
    );
  });

  it('a database that processes use', async () => {
    const target = await createTestDatabase();
    onTestFinished(target.close);
    await connectTo(target.url, 'pharos worker');
    await expect(requireUnused(target.url)).rejects.toThrow(
      'processes of Pharos use the database (pharos worker',
    );
  });

  it('a backup of a newer version', async () => {
    const sections = await sectionsOf(await archiveOf(source.url, { version: '9.0.0' }));
    sections.manifest.migrations.push('29990101000000_future');
    const options = { url: await createTarget(), directory: MIGRATIONS };
    await expect(restoreBackup(sections, options)).rejects.toThrow(
      'the backup was made by a newer Pharos (9.0.0, with the migration 29990101000000_future): update Pharos',
    );
  });

  it('an altered backup before anything can be seen of it, and then takes an intact one', async () => {
    const archive = await archiveOf(source.url);
    const url = await createTarget();
    const options = { url, directory: MIGRATIONS };
    const altered = Buffer.from(archive);
    altered.writeUInt8((altered.at(-40) ?? 0) ^ 1, altered.length - 40);
    await expect(sectionsOf(altered).then((sections) => restoreBackup(sections, options))).rejects.toThrow(
      'the backup is damaged',
    );
    const restored = await connectTo(url);
    const { rows } = await restored.query('SELECT count(*)::int AS n FROM monitor');
    expect(rows).toEqual([{ n: 0 }]);
    await restoreBackup(await sectionsOf(archive), options);
    expect((await restored.query('SELECT count(*)::int AS n FROM monitor')).rows).toEqual([{ n: 3 }]);
  });

  it('rows that do not match their checksum, even in an intact file', async () => {
    const sections = await sectionsOf(await archiveOf(source.url));
    const options = { url: await createTarget(), directory: MIGRATIONS };
    const changed = {
      ...sections,
      eachTable: (load: Parameters<typeof sections.eachTable>[0]) =>
        sections.eachTable((table, rows) =>
          load(table, table.name === 'public.marker' ? withoutRows(rows) : rows),
        ),
    };
    await expect(restoreBackup(changed, options)).rejects.toThrow(
      'the database stored other rows of public.marker than the backup contains (0 instead of 3)',
    );
  });
});

async function* withoutRows(rows: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  for await (const data of rows) if (data.length === 0) yield data;
}

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
