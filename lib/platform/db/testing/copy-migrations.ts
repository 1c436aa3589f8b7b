import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const directory = fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url));

/** A directory with the migrations before one, and that one if asked to. The test that runs removes it. */
export async function copyMigrations(last: string, { isIncluded }: { isIncluded: boolean }): Promise<string> {
  const copied = await mkdtemp(join(tmpdir(), 'pharos-migrations-'));
  onTestFinished(() => rm(copied, { recursive: true }));
  for (const name of await readdir(directory)) {
    if (name < last || (isIncluded && name === last) || name === 'migration_lock.toml') {
      await cp(join(directory, name), join(copied, name), { recursive: true });
    }
  }
  return copied;
}
