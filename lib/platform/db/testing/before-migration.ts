import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { expect, onTestFinished } from 'vitest';
import { migrate } from '@/lib/platform/db/migrate';
import { createEmptyDatabase } from '@/lib/testing/database';

const directory = fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url));

/**
 * A database as it was before a migration, until the end of the test. `client` can write rows without those that they belong to; `apply`
 * runs the migration and none after it.
 */
export async function openBeforeMigration(name: string): Promise<{ client: Client; apply(): Promise<void> }> {
  const { url, drop } = await createEmptyDatabase();
  onTestFinished(drop);
  await migrate({ url, directory: await copyMigrations((each) => each < name) });
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('SET session_replication_role = replica');
  const apply = async () => {
    const upTo = await copyMigrations((each) => each <= name);
    expect(await migrate({ url, directory: upTo })).toEqual([name]);
  };
  return { client, apply };
}

/** A directory with some of the migrations. The test that runs removes it. */
async function copyMigrations(isCopied: (name: string) => boolean): Promise<string> {
  const copied = await mkdtemp(join(tmpdir(), 'pharos-migrations-'));
  onTestFinished(() => rm(copied, { recursive: true }));
  for (const name of await readdir(directory)) {
    if (isCopied(name) || name === 'migration_lock.toml') {
      await cp(join(directory, name), join(copied, name), { recursive: true });
    }
  }
  return copied;
}
