import { rm } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startEmbeddedPostgres } from '@/lib/platform/postgres';
import { createOpenFolder } from '@/lib/testing/open-folder';
import { mountTinyDisk } from '@/lib/testing/tiny-disk';
import { migrate } from './migrate';
import { readSchema } from './read-schema';
import { fillTables, readKnownTables } from './testing/fill-tables';
import { connectTo, MIGRATION_NAMES, MIGRATIONS, migrateUnnumbered } from './testing/old-databases';

// Everything of this PostgreSQL is on the disk. It reports that a table cannot grow, but stops when its log (pg_wal) cannot.
describe('a full disk', () => {
  it('stops a migration, which changes nothing; a start with free space finishes it', async ({ skip }) => {
    const disk = await mountTinyDisk(150);
    if (!disk) return skip('only root of Linux can mount a file system');
    onTestFinished(disk.unmount);
    const staging = await createOpenFolder('pharos-staging-');
    onTestFinished(() => rm(staging, { recursive: true }));
    const start = () =>
      startEmbeddedPostgres({
        dataDir: disk.directory,
        stagingBase: staging,
        log: () => undefined,
        upgradeCommand: 'none',
      });
    let server = await start();
    onTestFinished(() => server.stop());
    await migrateUnnumbered(server.url);
    const client = await connectTo(server.url);
    await fillTables(client, await readKnownTables(client), [1, 2]);
    const before = await readSchema(client);

    await disk.fill();
    await expect(migrate({ url: server.url, directory: MIGRATIONS })).rejects.toThrow(
      /could not apply the migration \d+_first_release: .*No space left on device\. Nothing was changed\. The disk of PostgreSQL is full: free space there, then start again$/,
    );
    expect(await readSchema(client)).toEqual(before);
    const writeLog = client.query(
      "SELECT count(pg_logical_emit_message(false, 'test', repeat('x', 100000))) FROM generate_series(1, 1000)",
    );
    await expect(writeLog).rejects.toThrow();
    await server.stop();

    await disk.free();
    server = await start();
    const restarted = await connectTo(server.url);
    expect(await readSchema(restarted)).toEqual(before);
    expect(await migrate({ url: server.url, directory: MIGRATIONS })).toEqual(MIGRATION_NAMES);
  });
});
