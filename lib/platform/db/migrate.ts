import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import type { MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import { Client, Pool } from 'pg';
import { describeError, StartupError } from '@/lib/core/errors';
import { unreachable } from './wait-for-database';

let instantiated: Promise<void> | undefined;

/** Shared by all Pharos processes. Not 72707369: the engine itself locks that, and gives up after 10 s. */
const MIGRATION_LOCK = 7274267;

/**
 * Applies the migrations below `directory` to the database at `url` and returns the names of those applied.
 * Concurrent processes take turns under an advisory lock; the bookkeeping (`_prisma_migrations`) is that of
 * `prisma migrate deploy`. Throws `StartupError` when the database cannot be reached or a migration fails.
 */
export async function migrate({ url, directory }: { url: string; directory: string }): Promise<string[]> {
  const migrationsList = await readMigrations(directory);
  const client = new Client({
    connectionString: url,
    application_name: 'pharos migrate',
    connectionTimeoutMillis: 10_000,
  });
  // A lost connection fails the current statement; without a listener it would also end the process.
  client.on('error', () => undefined);
  await client.connect().catch((error: unknown) => {
    throw unreachable(url, describeError(error), error);
  });
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const names = migrationsList.migrationDirectories.map(({ path }) => path);
    if (await isCurrent(client, names)) return [];
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
      `could not migrate the database: ${describeError(error)}. Restore it or resolve the migration, then restart`,
      { cause: error },
    );
  } finally {
    await client.end();
  }
}

/** A single query on a typical start, instead of loading the schema engine. */
async function isCurrent(client: Client, names: string[]): Promise<boolean> {
  const table = await client.query("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS exists");
  if (!table.rows[0]?.exists) return false;
  const done = await client.query<{ migration_name: string }>(
    'SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  );
  const applied = new Set(done.rows.map((row) => row.migration_name));
  return names.every((name) => applied.has(name));
}

/** Reads the migrations below `directory` (prisma/migrations), oldest first, for Prisma's schema engine. */
export async function readMigrations(directory: string): Promise<MigrationList> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  const read = (...path: string[]) => readFile(join(directory, ...path), 'utf8');
  const migrationDirectories = await Promise.all(
    names.map(async (name) => {
      const content = { tag: 'ok' as const, value: await read(name, 'migration.sql') };
      return { path: name, migrationFile: { path: 'migration.sql', content } };
    }),
  );
  const lockfile = { path: 'migration_lock.toml', content: await read('migration_lock.toml') };
  return { baseDir: directory, shadowDbInitScript: '', lockfile, migrationDirectories };
}

/**
 * Prisma's schema engine, as WebAssembly from npm: the CLI would download a native one at run time, which is
 * impossible on an isolated machine. `url` is the database; the caller frees the engine.
 */
export async function openSchemaEngine(url: string): Promise<bindings.SchemaEngine> {
  instantiated ??= instantiate();
  await instantiated;
  const adapter = bindMigrationAwareSqlAdapterFactory(createAdapterFactory(url));
  return bindings.SchemaEngine.new({ datamodels: undefined }, () => undefined, adapter);
}

/**
 * Prisma's adapter splits scripts at every semicolon, even in comments and quotes, and sends the parts
 * separately. As a whole, Postgres runs a migration in one transaction: all or nothing.
 */
function createAdapterFactory(url: string): PrismaPg {
  const pool = new Pool({ connectionString: url, application_name: 'pharos migrate' });
  const factory = new PrismaPg(pool, { disposeExternalPool: true });
  const connect = factory.connect.bind(factory);
  factory.connect = async () => {
    const adapter = await connect();
    adapter.executeScript = async (script) => {
      await pool.query(script);
    };
    return adapter;
  };
  return factory;
}

async function instantiate(): Promise<void> {
  const require = createRequire(import.meta.url);
  const file = require.resolve('@prisma/schema-engine-wasm').replace(/\.js$/, '_bg.wasm');
  const { instance } = await WebAssembly.instantiate(await readFile(file), {
    './schema_engine_bg.js': bindings as unknown as WebAssembly.ModuleImports,
  });
  bindings.__wbg_set_wasm(instance.exports);
  (instance.exports as { __wbindgen_start(): void }).__wbindgen_start();
}
