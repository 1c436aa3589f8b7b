import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeError, StartupError } from '@/lib/core/errors';
import { acquireFileLock, type FileLock, readLockHolder } from '@/lib/core/file-lock';
import { findFreePort } from '@/lib/core/ports';
import { readOrCreateSecrets } from './data-dir';
import { removeStalePidFile, stopLeftoverServer } from './leftover-server';
import { type PreparedCluster, prepareCluster } from './prepare-cluster';
import { buildUrl, ensureDatabase, forgetRunningServer, recordRunningServer } from './running-server';
import { launchServer, type ServerExit, type ServerProcess } from './server-process';

type Log = (line: string) => void;

const POLL_MS = 50;
const NOTICE_MS = 10_000;
const PORT_TRIES = 5;
const SHARED_MEMORY_TRIES = 20;

/** Whether the server cannot be asked yet, as opposed to refusing for good. */
function isStillStarting(code: string | undefined): boolean {
  return (
    code === undefined || ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P01', '57P02', '57P03'].includes(code)
  );
}

/** Waits until the server accepts connections and has the database. False when it ended instead. */
async function waitUntilReady(
  server: ServerProcess,
  target: { port: number; password: string; directory: string },
  log: Log,
): Promise<boolean> {
  let nextNotice = performance.now() + NOTICE_MS;
  let reason = 'it does not respond';
  while (!server.hasExited()) {
    try {
      if (await ensureDatabase(target)) return true;
    } catch (error) {
      const { code } = error as { code?: string };
      reason = describeError(error);
      if (!isStillStarting(code)) {
        // Another PostgreSQL may have taken the port first and answered: ours is then about to end.
        await sleep(1_000);
        if (server.hasExited()) return false;
        if (code !== '28P01') throw error;
        throw new StartupError(
          'the password in secrets.json is not that of the database: restore both from one backup',
        );
      }
    }
    // Recovery after a crash takes as long as it takes.
    if (performance.now() > nextNotice) {
      log(`waiting for PostgreSQL to accept connections: ${reason}`);
      nextNotice += NOTICE_MS;
    }
    await sleep(POLL_MS);
  }
  return false;
}

function adviseOn(failure: string): string {
  if (/no space left/i.test(failure)) return 'free some disk space';
  if (/permission denied|invalid permissions|wrong ownership/i.test(failure))
    return 'check the owner and mode of that path';
  if (/cannot allocate memory|shared memory/i.test(failure)) return 'free some memory';
  return 'look at the log';
}

/**
 * Launches the server and resolves when it accepts connections: tries another port when somebody was faster, and
 * again while a dying backend holds the shared memory. Throws StartupError with the last words of its log.
 */
async function runServer(options: {
  cluster: PreparedCluster;
  dataDir: string;
  password: string;
  log: Log;
  findPort: () => Promise<number>;
}) {
  const { cluster, dataDir, password, log, findPort } = options;
  const logPath = join(dataDir, 'postgres.log');
  let takenPorts = 0;
  let busyMemory = 0;
  for (;;) {
    const port = await findPort();
    const server = await launchServer({ ...cluster, port, logPath });
    try {
      if (await waitUntilReady(server, { port, password, directory: cluster.directory }, log))
        return { server, port };
    } catch (error) {
      await server.stop();
      throw error;
    }
    const failure = await server.readFailure();
    if (/could not create any TCP\/IP sockets/.test(failure) && ++takenPorts < PORT_TRIES) continue;
    if (/pre-existing shared memory block/.test(failure) && ++busyMemory < SHARED_MEMORY_TRIES) {
      await sleep(500);
      continue;
    }
    throw new StartupError(`PostgreSQL does not start: ${failure}; ${adviseOn(failure)} (${logPath})`);
  }
}

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
