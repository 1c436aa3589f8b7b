import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import { readMigrations } from '@/lib/platform/db/migrations';
import { createCatalogueAdapter } from './catalogue-adapter';
import { runOn } from './database-server';

let instantiated: Promise<void> | undefined;

/**
 * Prisma's schema engine, as WebAssembly from npm: the CLI would download a native one at run time, which is impossible on an
 * isolated machine. The caller frees it.
 */
async function openSchemaEngine(adapter: SqlMigrationAwareDriverAdapterFactory) {
  instantiated ??= instantiate();
  await instantiated;
  return bindings.SchemaEngine.new(
    { datamodels: undefined },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(adapter),
  );
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

/** What `prisma migrate deploy` does: applies the migrations below `directory` and returns the names of those applied. */
export async function deployWithEngine(url: string, directory: string): Promise<string[]> {
  const engine = await openSchemaEngine(createCatalogueAdapter(url));
  const lockfile = {
    path: 'migration_lock.toml',
    content: await readFile(join(directory, 'migration_lock.toml'), 'utf8'),
  };
  const migrationDirectories = (await readMigrations(directory)).map(({ name, sql }) => ({
    path: name,
    migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value: sql } },
  }));
  try {
    const { appliedMigrationNames } = await engine.applyMigrations({
      migrationsList: { baseDir: directory, shadowDbInitScript: '', lockfile, migrationDirectories },
      filters: { externalTables: [], externalEnums: [] },
    });
    return appliedMigrationNames;
  } finally {
    engine.free();
    // Its pool keeps a connection with the engine's lock.
    await runOn(
      url,
      `SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_database ON pg_database.oid = database
        WHERE locktype = 'advisory' AND datname = current_database()`,
    );
  }
}

/**
 * The SQL statements with which Prisma would turn the database at `url` into `schema` (the text of
 * schema.prisma); empty if they match. Changes nothing.
 */
export async function diffSchema(url: string, schema: string): Promise<string[]> {
  const engine = await openSchemaEngine(createCatalogueAdapter(url));
  const files = [{ path: 'schema.prisma', content: schema }];
  try {
    const { stdout } = await engine.diff({
      // Named like the schema's datasource, but actually the adapter's database.
      from: { tag: 'schemaDatasource', files, configDir: '/' },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: true,
      filters: { externalTables: [], externalEnums: [] },
    });
    return listStatements(stdout ?? '');
  } finally {
    engine.free();
  }
}

function listStatements(script: string): string[] {
  return script
    .replace(/^--.*$/gm, '')
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
    .filter(Boolean);
}
