import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createRunDirectory, removeRunDirectory } from '@/bin/testing/run-directory.mjs';
import { migrate } from '@/lib/platform/db/migrate';
import { startEmbeddedPostgres } from '@/lib/platform/postgres';

/**
 * A directory for all that a benchmark makes, which is gone when it ends, also by a signal. With it goes its database; the
 * other processes end by themselves when this one does.
 */
export function openPlayground(): string {
  const directory = createRunDirectory();
  process.once('exit', () => removeRunDirectory(directory));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(130));
  return directory;
}

/** A migrated PostgreSQL in a playground. */
export async function startDatabase(root: string, directory: string) {
  const dataDir = join(directory, 'data');
  await mkdir(dataDir);
  const stagingBase = join(directory, 'staging');
  const postgres = await startEmbeddedPostgres({ dataDir, stagingBase, log: () => undefined });
  await migrate({ url: postgres.url, directory: join(root, 'prisma', 'migrations') });
  return postgres;
}
