import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createRunDirectory, removeRunDirectory } from '@/bin/testing/run-directory.mjs';
import { migrate } from '@/lib/platform/db/migrate';
import { startEmbeddedPostgres } from '@/lib/platform/postgres';

/** What every process of Pharos is started with in a benchmark. */
export const PHAROS_SETTINGS = {
  SECRET_KEY: 'a key for benchmarks '.repeat(2),
  HOST: '127.0.0.1',
  LOG_LEVEL: 'warn',
};

/**
 * A directory for all that a benchmark creates, which is gone when it ends, also by a signal. With it goes its database; the
 * other processes end by themselves when this one does.
 */
export function openPlayground(): string {
  const directory = createRunDirectory();
  process.once('exit', () => removeRunDirectory(directory));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(130));
  return directory;
}

/** A migrated PostgreSQL in a playground, which can be stopped and started again at the same address. */
export async function startDatabase(root: string, directory: string) {
  const dataDir = join(directory, 'data');
  await mkdir(dataDir);
  const options = { dataDir, stagingBase: join(directory, 'staging'), log: () => undefined };
  let server = await startEmbeddedPostgres(options);
  const { url } = server;
  await migrate({ url, directory: join(root, 'prisma', 'migrations') });
  return {
    url,
    pid: () => server.pid,
    stop: () => server.stop(),
    start: async () => {
      server = await startEmbeddedPostgres({ ...options, findPort: async () => Number(new URL(url).port) });
    },
  };
}

/** A line of progress, beside what the benchmark prints. */
export function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}
