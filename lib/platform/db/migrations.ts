import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg';

/** The migrations below `directory` (prisma/migrations), oldest first, as Prisma's schema engine reads them. */
export async function readMigrations(directory: string): Promise<MigrationList> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  return {
    baseDir: directory,
    shadowDbInitScript: '',
    lockfile: {
      path: 'migration_lock.toml',
      content: await readFile(join(directory, 'migration_lock.toml'), 'utf8'),
    },
    migrationDirectories: await Promise.all(
      names.map(async (name) => ({
        path: name,
        migrationFile: {
          path: 'migration.sql',
          content: {
            tag: 'ok' as const,
            value: await readFile(join(directory, name, 'migration.sql'), 'utf8'),
          },
        },
      })),
    ),
  };
}
