import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createTestDatabase } from '@/lib/testing/database';
import { waitFor } from '@/lib/testing/wait-for';
import { migrate } from './migrate';
import { readSchema } from './read-schema';
import { fillTables, readAndUpdateTables, readKnownTables } from './testing/fill-tables';
import { addMigrations, connectTo, MIGRATIONS } from './testing/old-databases';

// A full disk: migrate-faults.thorough.test.ts.

/** Shorter than in production, to save time. */
const PATIENCE = { attemptMs: 200, pauseMs: 200, totalMs: 60_000 };

/** A later migration of the table of monitors. */
const COLUMN = {
  name: '20990101000000_column',
  sql: 'ALTER TABLE monitor ADD COLUMN added INTEGER NOT NULL DEFAULT 5;',
};

/** A new database, which lacks only that migration. */
async function createBeforeColumn(): Promise<string> {
  const { url, close } = await createTestDatabase();
  onTestFinished(close);
  return url;
}

describe('a transaction that reads a table for long', () => {
  async function startReader(url: string) {
    const reader = await connectTo(url, 'a long report');
    await reader.query('BEGIN');
    await reader.query('SELECT FROM monitor');
    return reader;
  }

  it('delays the migration of the table, but not the statements of an old version', async () => {
    const url = await createBeforeColumn();
    const directory = await addMigrations(COLUMN);
    const old = await connectTo(url);
    const tables = await readKnownTables(old);
    await fillTables(old, tables, [1, 2]);
    const reader = await startReader(url);
    const report = vi.fn<(line: string) => void>();
    const migrating = migrate({ url, directory, patience: PATIENCE, report });
    onTestFinished(() => migrating.then(() => undefined));

    // If these queued behind the migration, none would finish before the reader does.
    await waitFor(() => expect(report).toHaveBeenCalled());
    const attempts = report.mock.calls.length;
    while (report.mock.calls.length < attempts + 5) await readAndUpdateTables(old, tables);

    for (const [line] of report.mock.calls) {
      expect(line).toMatch(
        /^waiting to apply the migration 20990101000000_column, for up to [\dms ]+: a lock is held by /,
      );
    }
    expect(report.mock.calls.flat().join('\n')).toMatch(
      /process \d+ \(a long report, idle in transaction, \d+ s\)/,
    );
    await reader.query('COMMIT');
    expect(await migrating).toEqual([COLUMN.name]);
    await readAndUpdateTables(old, tables);
  });

  it('makes a start fail in the end, with what to do; a later start finishes', async () => {
    const url = await createBeforeColumn();
    const directory = await addMigrations(COLUMN);
    const client = await connectTo(url);
    const before = await readSchema(client);
    const reader = await startReader(url);
    const failed = migrate({
      url,
      directory,
      patience: { ...PATIENCE, attemptMs: 1000, totalMs: 1 },
    });
    await expect(failed).rejects.toThrow(
      /could not apply the migration 20990101000000_column: after 1 ms, a lock is still held by process (\d+) \(a long report, .*\)\. Nothing was changed\. Wait until it ends, or end it \(in PostgreSQL: SELECT pg_terminate_backend\(\1\)\), then start again$/,
    );
    expect(await readSchema(client)).toEqual(before);
    await reader.query('COMMIT');
    expect(await migrate({ url, directory })).toEqual([COLUMN.name]);
  });
});

describe('a process that migrates for long', () => {
  it('delays others for a limited time, but not those with nothing to migrate', async () => {
    const url = await createBeforeColumn();
    const directory = await addMigrations(COLUMN);
    const other = await connectTo(url, 'pharos migrate');
    await other.query('SELECT pg_advisory_lock(7274267)');
    const patience = { ...PATIENCE, attemptMs: 1000, totalMs: 1 };
    await expect(migrate({ url, directory, patience })).rejects.toThrow(
      /could not migrate the database: after 1 ms, a lock is still held by process \d+ \(pharos migrate/,
    );
    expect(await migrate({ url, directory: MIGRATIONS, patience })).toEqual([]);
  });
});
