import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The oldest version that works with a migrated database: its release, and the number of its newest migration. */
export type OldestServed = { release: string; schema: number };

/** A migration. Its number, not its name, says where it belongs in the order of all. */
export type Migration = {
  number: number;
  name: string;
  sql: string;
  checksum: string;
  serves: OldestServed;
};

const HEADER =
  /^-- Schema: (?<number>\d+)\n-- Serves: Pharos (?<release>\d+\.\d+\.\d+) \(schema (?<schema>\d+)\) and later\n/;

/**
 * Reads the migrations below `directory` (prisma/migrations), in their order. Throws an error if one lacks its header, or if
 * their numbers are not 1, 2, 3 and so on.
 */
export async function readMigrations(directory: string): Promise<Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const read = await Promise.all(
    names.map(async (name) =>
      toMigration(name, await readFile(join(directory, name, 'migration.sql'), 'utf8')),
    ),
  );
  const migrations = read.toSorted((a, b) => a.number - b.number);
  for (const [place, { name, number }] of migrations.entries()) {
    if (number !== place + 1) throw new Error(`the migration ${name} must have the number ${place + 1}`);
  }
  return migrations;
}

function toMigration(name: string, sql: string): Migration {
  const { number, release, schema } = HEADER.exec(sql)?.groups ?? {};
  if (release === undefined || Number(schema) > Number(number)) {
    throw new Error(
      `the migration ${name} must begin with "-- Schema: N" and "-- Serves: Pharos X.Y.Z (schema N) and later"`,
    );
  }
  return {
    number: Number(number),
    name,
    sql,
    checksum: createHash('sha256').update(sql).digest('hex'),
    serves: { release, schema: Number(schema) },
  };
}
