import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrate } from '@/lib/platform/db/migrate';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@/lib/platform/postgres';

/** A migrated database on its own PostgreSQL, which a test can stop and restart at the same address. */
export type StoppableDatabase = {
  url: string;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops it permanently. */
  close(): Promise<void>;
};

const MIGRATIONS = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));

/** Starts one in a temporary directory. */
export async function startStoppableDatabase(): Promise<StoppableDatabase> {
  const playground = await mkdtemp(join(tmpdir(), 'pharos-stoppable-'));
  // The server may run as another user, who must be able to enter.
  await chmod(playground, 0o755);
  const dataDir = join(playground, 'data');
  await mkdir(dataDir);
  let server: EmbeddedPostgres | null = null;
  const launch = (port?: number) =>
    startEmbeddedPostgres({
      dataDir,
      stagingBase: join(playground, 'staging'),
      log: () => undefined,
      ...(port === undefined ? {} : { findPort: async () => port }),
    });
  const stop = async () => {
    const running = server;
    server = null;
    await running?.stop();
  };
  const close = async () => {
    await stop();
    await rm(playground, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
  try {
    server = await launch();
    const { url } = server;
    await migrate({ url, directory: MIGRATIONS });
    const start = async () => {
      server = await launch(Number(new URL(url).port));
    };
    return { url, stop, start, close };
  } catch (error) {
    await close();
    throw error;
  }
}
