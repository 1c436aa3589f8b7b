import { Client } from 'pg';
import { describeError, StartupError } from '@/lib/core/errors';
import { readMigrations } from './migrations';
import { openSchemaEngine } from './schema-engine';
import { unreachable } from './wait-for-database';

/** Any number that every Pharos process shares; not 72707369, which the engine takes itself and gives up on after 10 s. */
const MIGRATION_LOCK = 7274267;

/**
 * Brings the database at `url` up to the migrations below `directory` and answers the names of those applied now.
 * Two processes starting at once take turns under an advisory lock; the bookkeeping (`_prisma_migrations`) is what
 * `prisma migrate deploy` would leave. Throws `StartupError` when the database cannot be reached or a migration fails.
 */
export async function migrate({ url, directory }: { url: string; directory: string }): Promise<string[]> {
  const migrationsList = await readMigrations(directory);
  const client = new Client({
    connectionString: url,
    application_name: 'pharos migrate',
    connectionTimeoutMillis: 10_000,
  });
  // A connection that is lost fails the statement under way; without a listener it would also end the process.
  client.on('error', () => undefined);
  await client.connect().catch((error: unknown) => {
    throw unreachable(url, describeError(error), error);
  });
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    if (
      await isCurrent(
        client,
        migrationsList.migrationDirectories.map((migration) => migration.path),
      )
    )
      return [];
    const engine = await openSchemaEngine(url);
    try {
      const output = await engine.applyMigrations({
        migrationsList,
        filters: { externalTables: [], externalEnums: [] },
      });
      return output.appliedMigrationNames;
    } finally {
      engine.free();
    }
  } catch (error) {
    throw new StartupError(
      `the database could not be migrated: ${describeError(error)}; restore it or resolve the migration, then start again`,
      { cause: error },
    );
  } finally {
    await client.end();
  }
}

/** One query on the usual start, instead of loading the schema engine. */
async function isCurrent(client: Client, names: string[]): Promise<boolean> {
  const table = await client.query("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS there");
  if (!table.rows[0]?.there) return false;
  const done = await client.query<{ migration_name: string }>(
    'SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  );
  const applied = new Set(done.rows.map((row) => row.migration_name));
  return names.every((name) => applied.has(name));
}
