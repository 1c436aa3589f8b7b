import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import { SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';
import { openSchemaEngine } from '@/lib/platform/db/migrate';
import { createCatalogueAdapter } from './catalogue-adapter';

/**
 * The SQL statements with which Prisma would turn the database at `url` into `schema` (the text of
 * schema.prisma); empty if they match. Changes nothing.
 */
export async function diffSchema(url: string, schema: string): Promise<string[]> {
  // Loads the WebAssembly, which all engines share.
  (await openSchemaEngine(url)).free();
  const adapter = bindMigrationAwareSqlAdapterFactory(createCatalogueAdapter(url));
  const engine = await SchemaEngine.new({ datamodels: undefined }, () => undefined, adapter);
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
