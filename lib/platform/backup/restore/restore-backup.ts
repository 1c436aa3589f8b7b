import { describeError, StartupError } from '@/lib/core/errors';
import { listMigrations, migrate } from '@/lib/platform/db/migrate';
import { readMigrations } from '@/lib/platform/db/migrations';
import type { Sections } from '../archive/read-sections';
import type { BackupEnd, Manifest } from '../archive/records';
import { withBackupConnection } from '../snapshot/connect';
import { type LoadOptions, loadTables } from './load-tables';

export type RestoreOptions = LoadOptions & {
  /** The database, without a pooler. It must be unused: see `requireUnused`. */
  url: string;
  /** Contains the migrations. */
  directory: string;
  /** Called with a line of progress while a lock is awaited. */
  report?: (line: string) => void;
};

/**
 * Restores a backup: applies the migrations that it was made with, loads and compares its rows in one transaction, and applies the
 * others. If it throws, the database contains no rows of the backup. Throws StartupError.
 */
export async function restoreBackup(sections: Sections, options: RestoreOptions): Promise<BackupEnd> {
  const { url, directory, report, onProgress } = options;
  const { manifest } = sections;
  await requireKnownVersion(manifest, directory);
  const applied = await listMigrations(url);
  const unknown = applied.filter((name) => !manifest.migrations.includes(name));
  if (unknown.length > 0) {
    throw new StartupError(
      `the database is already migrated beyond the backup (${unknown.at(-1)}): create an empty database, and set DATABASE_URL to it`,
    );
  }
  await migrate({ url, directory, report, only: manifest.migrations });
  const end = await withBackupConnection(url, async (client) => {
    await client.query('BEGIN');
    const end = await loadTables(client, sections, { onProgress }).catch((error: unknown) => {
      throw error instanceof StartupError ? error : explain(error);
    });
    await client.query('COMMIT');
    // Until autovacuum comes, plans would assume empty tables.
    await client.query('ANALYZE');
    return end;
  });
  await migrate({ url, directory, report });
  return end;
}

/** Throws StartupError if this version lacks a migration of the backup. */
export async function requireKnownVersion(
  { migrations, version }: Pick<Manifest, 'migrations' | 'version'>,
  directory: string,
): Promise<void> {
  const known = new Set((await readMigrations(directory)).map(({ name }) => name));
  const missing = migrations.find((name) => !known.has(name));
  if (missing === undefined) return;
  throw new StartupError(
    `the backup was made by a newer Pharos (${version}, with the migration ${missing}): update Pharos on this machine, then restore it`,
  );
}

function explain(error: unknown): StartupError {
  return new StartupError(`the backup could not be loaded: ${describeError(error)}. Nothing was changed`, {
    cause: error,
  });
}
