import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import { copyDatabase, createEmptyDatabase } from '@/lib/testing/database';
import { runOn } from '@/lib/testing/database-server';
import { migrate } from '../migrate';
import { readMigrations } from '../migrations';
import { UNNUMBERED_MIGRATIONS } from '../unnumbered-migrations';

export const MIGRATIONS = fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url));

/** The names of all migrations, in their order. */
export const MIGRATION_NAMES = (await readMigrations(MIGRATIONS)).map(({ name }) => name);

/** Creates the table of `prisma migrate deploy`. */
export const BOOKKEEPING = `
  CREATE TABLE _prisma_migrations (
    id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ, migration_name VARCHAR(255) NOT NULL,
    logs TEXT, rolled_back_at TIMESTAMPTZ, started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0
  )`;
const COMPATIBILITY = `INSERT INTO schema_compatibility (oldest_release, oldest_migration) VALUES ('0.1.0', '20261127000000_leased_shards')`;

/** Migrates an empty database like the last commit without numbers, or to the first `count` of its migrations. */
export async function migrateUnnumbered(url: string, count = UNNUMBERED_MIGRATIONS.length): Promise<void> {
  const file = new URL('./unnumbered-migrations.sql', import.meta.url);
  const scripts = (await readFile(file, 'utf8')).split(/^-- Migration: .*$/m).slice(1);
  const names = UNNUMBERED_MIGRATIONS.slice(0, count);
  const records = names.map((name) => `(gen_random_uuid(), '', '${name}', clock_timestamp(), 1)`);
  await runOn(
    url,
    ...scripts.slice(0, count).map((script) => `BEGIN; ${script}; COMMIT`),
    BOOKKEEPING,
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count) VALUES ${records.join()}`,
    ...(count === UNNUMBERED_MIGRATIONS.length ? [COMPATIBILITY] : []),
  );
}

/** Databases as earlier versions left them. */
export type OldDatabases = {
  /**
   * The URL of a copy with this schema, dropped after the test; 0 is the last commit without numbers, where all of them began. Call it in
   * their order.
   */
  asOf(schema: number): Promise<string>;
  drop(): Promise<void>;
};

/** A database that `asOf` migrates from one version to the next, and copies. */
export async function createOldDatabases(): Promise<OldDatabases> {
  const growing = await createEmptyDatabase();
  await migrateUnnumbered(growing.url);
  return {
    asOf: async (schema) => {
      if (schema > 0) await migrate({ url: growing.url, directory: MIGRATIONS, upTo: schema });
      const { url, drop } = await copyDatabase(growing.url);
      onTestFinished(drop);
      return url;
    },
    drop: growing.drop,
  };
}

/** A later migration, as a test needs it. */
export type LaterMigration = {
  name: string;
  sql: string;
  /** The schema of the oldest version it serves: the last of this version by default. */
  serves?: number;
};

/** A directory with the migrations of this version and later ones, removed after the test. */
export async function addMigrations(...added: LaterMigration[]): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'pharos-migrations-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  await cp(MIGRATIONS, directory, { recursive: true });
  const last = MIGRATION_NAMES.length;
  for (const [place, { name, sql, serves = last }] of added.entries()) {
    await mkdir(join(directory, name));
    const header = `-- Schema: ${last + place + 1}\n-- Serves: Pharos 9.1.0 (schema ${serves}) and later\n`;
    await writeFile(join(directory, name, 'migration.sql'), header + sql);
  }
  return directory;
}

/** A connection that is closed after the test. */
export async function connectTo(url: string, name = 'pharos tests'): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: name });
  // Dropping the database ends connections.
  client.on('error', () => undefined);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}
