import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrate } from '@/lib/platform/db/migrate';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@/lib/platform/postgres';
import { createOpenFolder } from '@/lib/testing/open-folder';

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
  const playground = await createOpenFolder('pharos-stoppable-');
  const dataDir = join(playground, 'data');
  await mkdir(dataDir);
  let server: EmbeddedPostgres | null = null;
  const launch = (port?: number) =>
    startEmbeddedPostgres({
      dataDir,
      stagingBase: join(playground, 'staging'),
      log: () => undefined,
      upgradeCommand: 'none',
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
