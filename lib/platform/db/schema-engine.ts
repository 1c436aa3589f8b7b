import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import { Pool } from 'pg';

let instantiated: Promise<void> | undefined;

/**
 * Prisma's own schema engine, as WebAssembly from the registry: the command line would download a native one at run
 * time, which a bare machine cannot reach. `url` names the database; the caller frees the engine.
 */
export async function openSchemaEngine(url: string): Promise<bindings.SchemaEngine> {
  instantiated ??= instantiate();
  await instantiated;
  const adapter = bindMigrationAwareSqlAdapterFactory(createAdapterFactory(url));
  return bindings.SchemaEngine.new({ datamodels: undefined }, () => undefined, adapter);
}

/**
 * Prisma's adapter cuts a script at every semicolon, in comments and quotes too, and sends the pieces one by one. Sent
 * whole, Postgres runs a migration in one transaction: all of it or nothing.
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
