import type { Client } from 'pg';
import { describeError, StartupError } from '@/lib/core/errors';
import { listMigrations, migrate } from '@/lib/platform/db/migrate';
import { readMigrations } from '@/lib/platform/db/migrations';
import { LAST_UNNUMBERED_COMMIT, UNNUMBERED_MIGRATIONS } from '@/lib/platform/db/unnumbered-migrations';
import type { Sections } from '../archive/read-sections';
import type { BackupEnd, Manifest } from '../archive/records';
import { withBackupConnection } from '../snapshot/connect';
import { beginLoading, type LoadOptions, type TableLoader } from './load-tables';

/** What is loaded at the end: more rows and tables, and which of the partitions that were loaded before remain. */
export type Remainder = { sections: Sections; kept: ReadonlySet<string> };

export type RestoreOptions = LoadOptions & {
  /** The database, without a pooler. It must be unused: see `requireUnused`. */
  url: string;
  /** Contains the migrations. */
  directory: string;
  /** Called with a line of progress while a lock is awaited. */
  report?: (line: string) => void;
  /** Called once `sections` are loaded, if that is not all. `stayConnected` must be called regularly meanwhile; it throws if the database is lost. */
  readRemainder?: (loaded: BackupEnd, stayConnected: () => Promise<void>) => Promise<Remainder>;
};

/**
 * Restores a backup: applies the migrations up to the last it was made with, loads and compares its rows in one transaction, and applies the
 * others. If it throws, the database contains no rows of the backup. Throws StartupError.
 */
export async function restoreBackup(sections: Sections, options: RestoreOptions): Promise<BackupEnd> {
  const { url, directory, report } = options;
  const { manifest } = sections;
  const schema = await requireKnownVersion(manifest, directory);
  const within = (await readMigrations(directory)).slice(0, schema).map(({ name }) => name);
  const applied = await listMigrations(url);
  const beyond = applied.find((name) => !within.includes(name) && !UNNUMBERED_MIGRATIONS.includes(name));
  if (beyond !== undefined) {
    throw new StartupError(
      `the database is already migrated beyond the backup (${beyond}): create an empty database, and set DATABASE_URL to it`,
    );
  }
  await migrate({ url, directory, report, upTo: schema });
  const end = await withBackupConnection(url, async (client) => {
    await client.query('BEGIN');
    const end = await loadAll(client, sections, options).catch((error: unknown) => {
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

async function loadAll(
  client: Client,
  sections: Sections,
  { onProgress, readRemainder }: RestoreOptions,
): Promise<BackupEnd> {
  const loader = await beginLoading(client, { onProgress });
  const loaded = await loader.load(sections);
  if (!readRemainder) {
    await loader.finish(loaded);
    return loaded;
  }
  const stayConnected = async () => void (await client.query('SELECT'));
  const remainder = await readRemainder(loaded, stayConnected);
  requireSameInstallation(sections.manifest, remainder.sections.manifest);
  return loadRemainder(loader, loaded, remainder);
}

/** Resolves to the sums of all rows: of a partition with additional rows, there are two. */
async function loadRemainder(
  loader: TableLoader,
  loaded: BackupEnd,
  { sections, kept }: Remainder,
): Promise<BackupEnd> {
  const isKept = ({ name }: { name: string }) => kept.has(name);
  await loader.drop(loaded.tables.filter((table) => !isKept(table)).map(({ name }) => name));
  const end = await loader.load(sections);
  await loader.finish(end);
  return { ...end, tables: [...loaded.tables.filter(isKept), ...end.tables] };
}

/** Throws StartupError if the installation was updated, or has another secret key, since its first rows were read. */
function requireSameInstallation(before: Manifest, after: Manifest): void {
  const facts = ({ migrations, keyChecks }: Manifest) => JSON.stringify([migrations, keyChecks]);
  if (facts(before) === facts(after)) return;
  throw new StartupError(
    'the service was updated, or its secret key was changed, while its database was copied. Nothing was changed: run the command again',
  );
}

/**
 * The number of the newest migration of the backup. Throws StartupError if this version lacks a migration of it, or if it was made before
 * the last commit whose migrations have no numbers.
 */
export async function requireKnownVersion(
  { migrations: names, version }: Pick<Manifest, 'migrations' | 'version'>,
  directory: string,
): Promise<number> {
  const migrations = await readMigrations(directory);
  const known = new Set([...UNNUMBERED_MIGRATIONS, ...migrations.map(({ name }) => name)]);
  const missing = names.find((name) => !known.has(name));
  if (missing !== undefined) {
    throw new StartupError(
      `the backup was made by a newer Pharos (${version}, with the migration ${missing}): update Pharos on this machine, then restore it`,
    );
  }
  const newest = migrations.findLast(({ name }) => names.includes(name));
  if (newest !== undefined) return newest.number;
  if (UNNUMBERED_MIGRATIONS.every((name) => names.includes(name))) return 1;
  const commit = LAST_UNNUMBERED_COMMIT;
  throw new StartupError(
    `the backup has ${names.length} of the ${UNNUMBERED_MIGRATIONS.length} migrations before the first release. Restore it with the commit ${commit}, which applies the others (git checkout ${commit} && npm ci), then start this version`,
  );
}

function explain(error: unknown): StartupError {
  return new StartupError(`the rows could not be loaded: ${describeError(error)}. Nothing was changed`, {
    cause: error,
  });
}
