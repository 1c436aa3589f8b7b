import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import { copyDatabase, createEmptyDatabase } from '@/lib/testing/database';
import { migrate } from '../migrate';
import { readMigrations } from '../migrations';

export const MIGRATIONS = fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url));

/** The names of all migrations, oldest first. */
export const MIGRATION_NAMES = (await readMigrations(MIGRATIONS)).map(({ name }) => name);

/** Databases as earlier versions left them. */
export type OldDatabases = {
  /** The migrations up to the last `asOf`. */
  directory: string;
  /** The URL of a copy as of this migration, dropped after the test. Call it in the order of the migrations. */
  asOf(name: string): Promise<string>;
  drop(): Promise<void>;
};

/** A database that `asOf` migrates from one version to the next, and copies. */
export async function createOldDatabases(): Promise<OldDatabases> {
  const directory = await mkdtemp(join(tmpdir(), 'pharos-migrations-'));
  await cp(join(MIGRATIONS, 'migration_lock.toml'), join(directory, 'migration_lock.toml'));
  const growing = await createEmptyDatabase();
  let grown = 0;
  return {
    directory,
    asOf: async (name) => {
      const end = MIGRATION_NAMES.indexOf(name) + 1;
      for (const older of MIGRATION_NAMES.slice(grown, end)) {
        await cp(join(MIGRATIONS, older), join(directory, older), { recursive: true });
      }
      grown = end;
      await migrate({ url: growing.url, directory });
      const { url, drop } = await copyDatabase(growing.url);
      onTestFinished(drop);
      return url;
    },
    drop: async () => {
      await growing.drop();
      await rm(directory, { recursive: true });
    },
  };
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
