import { describe, expect, it, onTestFinished } from 'vitest';
import { readSchema } from '@/lib/platform/db/read-schema';
import { connectTo, MIGRATIONS } from '@/lib/platform/db/testing/old-databases';
import { createTestDatabase } from '@/lib/testing/database';
import { archiveOf, sectionsOf } from '../testing/archives';
import { readRows, treatRows } from '../testing/database-rows';
import { createTarget, useFilled } from '../testing/use-filled';
import { requireUnused } from './empty-target';
import { restoreBackup } from './restore-backup';

// Databases in use, and of every older version: restore-backup.thorough.test.ts.

const filled = useFilled();

describe('a restored database', () => {
  it('has the rows, the schema and the next numbers of the one that was backed up', async () => {
    const { client, tables } = filled;
    const url = await createTarget();
    const end = await restoreBackup(await sectionsOf(await archiveOf(filled.url)), {
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
});

describe('a restore refuses', () => {
  it('a database with an installation', async () => {
    await expect(requireUnused(filled.url)).rejects.toThrow(
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
    const sections = await sectionsOf(await archiveOf(filled.url, { version: '9.0.0' }));
    sections.manifest.migrations.push('29990101000000_future');
    const options = { url: await createTarget(), directory: MIGRATIONS };
    await expect(restoreBackup(sections, options)).rejects.toThrow(
      'the backup was made by a newer Pharos (9.0.0, with the migration 29990101000000_future): update Pharos',
    );
  });

  it('an altered backup before anything can be seen of it, and then takes an intact one', async () => {
    const archive = await archiveOf(filled.url);
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
    const sections = await sectionsOf(await archiveOf(filled.url));
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
