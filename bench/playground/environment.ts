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

const playgrounds = new Set<string>();
let isWatched = false;

/** A directory for a benchmark and its database. It is deleted when it is closed or this process ends, even by a signal. */
export function openPlayground(): string {
  if (!isWatched) {
    isWatched = true;
    process.once('exit', () => [...playgrounds].map(closePlayground));
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => process.exit(130));
  }
  const directory = createRunDirectory();
  playgrounds.add(directory);
  return directory;
}

/** Deletes the directory of a playground, and stops a database that still runs in it. */
export function closePlayground(directory: string): void {
  playgrounds.delete(directory);
  removeRunDirectory(directory);
}

/** A migrated PostgreSQL in a playground, which can be stopped and restarted at the same address. */
export async function startDatabase(directory: string) {
  const dataDir = join(directory, 'data');
  await mkdir(dataDir);
  const options = {
    dataDir,
    stagingBase: join(directory, 'staging'),
    log: () => undefined,
    upgradeCommand: 'none',
  };
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
