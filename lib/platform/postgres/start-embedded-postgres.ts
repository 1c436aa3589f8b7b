import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { describeError, StartupError } from '@/lib/core/errors';
import { acquireFileLock, type FileLock, readLockHolder } from '@/lib/core/file-lock';
import { findFreePort } from '@/lib/core/ports';
import { buildUrl } from './connection';
import { removeStalePidFile, stopLeftoverServer } from './leftover-server';
import { prepareCluster } from './prepare-cluster';
import { runServer } from './run-server';
import { forgetRunningServer, recordRunningServer } from './running-server';
import { readOrCreateSecrets } from './secrets';
import type { ServerExit } from './server-process';

/** The PostgreSQL server that runs in DATA_DIR. */
export type EmbeddedPostgres = {
  /** For clients of this machine: `postgresql://pharos:…@127.0.0.1:…/pharos`. */
  url: string;
  pid: number;
  /** Stops the server cleanly: fast, after 20 s immediately. Calling it again waits for the same stop. */
  stop(): Promise<void>;
  /** Resolves when the server has ended, asked to or not. */
  exited: Promise<ServerExit>;
};

const DEFAULT_STAGING_BASE = '/var/lib/pharos';

/**
 * Refuses a second server of the same data, whoever starts it. DATA_DIR has its own lock, but copies of a DATA_DIR may link
 * to one staged cluster, and a start takes any server it finds there for a leftover and stops it.
 */
function lockCluster(path: string): FileLock {
  const lock = acquireFileLock(path);
  if (lock) return lock;
  throw new StartupError(
    `another Pharos (pid ${readLockHolder(path) ?? 'unknown'}) is running the database locked by ${path}; stop it`,
  );
}

/**
 * Starts the PostgreSQL server of DATA_DIR and resolves when it accepts connections: makes the data on the first start,
 * stops a server that a killed start left behind, and recovers from any crash. `stagingBase` is where root keeps what the
 * server's user cannot reach elsewhere. DATA_DIR exists (`ensureDataDir`). Throws StartupError, one line that says what to do.
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  log: (line: string) => void;
  stagingBase?: string;
  findPort?: () => Promise<number>;
}): Promise<EmbeddedPostgres> {
  const { log, stagingBase = DEFAULT_STAGING_BASE, findPort = findFreePort } = options;
  const locks: FileLock[] = [];
  const unlock = () => {
    for (const lock of locks) lock.release();
  };
  try {
    const dataDir = await realpath(options.dataDir);
    locks.push(lockCluster(join(dataDir, 'postgres.lock')));
    const { postgresPassword: password } = await readOrCreateSecrets(dataDir);
    const cluster = await prepareCluster({ dataDir, stagingBase, password, log });
    locks.push(lockCluster(join(cluster.directory, 'pharos.lock')));
    await stopLeftoverServer(cluster.directory, log);
    await removeStalePidFile(cluster.directory, log);
    const { server, port } = await runServer({ cluster, dataDir, password, log, findPort });
    const exited = server.exited.then(async (exit) => {
      await forgetRunningServer(dataDir).catch((error) =>
        log(`runtime.json stays behind: ${describeError(error)}`),
      );
      unlock();
      return exit;
    });
    const stop = async () => {
      await server.stop();
      await exited;
    };
    try {
      await recordRunningServer(dataDir, { port, pid: server.pid });
    } catch (error) {
      await stop();
      throw error;
    }
    return { url: buildUrl(port, password), pid: server.pid, stop, exited };
  } catch (error) {
    unlock();
    if (error instanceof StartupError) throw error;
    throw new StartupError(`PostgreSQL does not start: ${describeError(error)}`, { cause: error });
  }
}
