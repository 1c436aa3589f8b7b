import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The oldest version that works with a migrated database: its release, and the newest migration it contains. */
export type OldestServed = { release: string; migration: string };

/** A migration. `serves` is what its header states; null in those older than `schema_compatibility`. */
export type Migration = { name: string; sql: string; checksum: string; serves: OldestServed | null };

const HEADER = /^-- Serves: Pharos (?<release>\S+) \((?<migration>\w+)\) and later$/m;

/** Reads the migrations below `directory` (prisma/migrations), oldest first. */
export async function readMigrations(directory: string): Promise<Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(directory, name, 'migration.sql'), 'utf8');
      const { release, migration } = HEADER.exec(sql)?.groups ?? {};
      return {
        name,
        sql,
        checksum: createHash('sha256').update(sql).digest('hex'),
        serves: release && migration ? { release, migration } : null,
      };
    }),
  );
}
