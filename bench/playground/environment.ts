import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createRunDirectory, removeRunDirectory } from '@/bin/testing/run-directory.mjs';
import { migrate } from '@/lib/platform/db/migrate';
import { startEmbeddedPostgres } from '@/lib/platform/postgres';

/** The project directory, in which bench/run.mjs runs every benchmark. */
export const root = process.cwd();

/** Settings of every Pharos process in a benchmark. */
export const PHAROS_SETTINGS = {
  SECRET_KEY: 'a key for benchmarks '.repeat(2),
  HOST: '127.0.0.1',
  LOG_LEVEL: 'warn',
};

/** A directory for a benchmark and its database. It is deleted when this process ends, even by a signal. */
export function openPlayground(): string {
  const directory = createRunDirectory();
  process.once('exit', () => removeRunDirectory(directory));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(130));
  return directory;
}

/** A migrated PostgreSQL in a playground, which can be stopped and restarted at the same address. */
export async function startDatabase(directory: string) {
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

/** Prints a line of progress to stderr. */
export function log(line: string): void {
  process.stderr.write(`${line}\n`);
}
