import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeError, StartupError } from '@/lib/core/errors';
import { acquireFileLock, type FileLock, readLockHolder } from '@/lib/core/file-lock';
import { findFreePort } from '@/lib/core/ports';
import type { PostgresBinaries } from './binaries';
import { readOrCreateSecrets } from './data-dir';
import { removeStalePidFile, stopLeftoverServer } from './leftover-server';
import { type PreparedCluster, prepareCluster } from './prepare-cluster';
import {
  buildUrl,
  ensureDatabase,
  recordRunningServer,
  removeServerRecord,
  type ServerTarget,
} from './running-server';
import { launchServer, type ServerProcess } from './server-process';

type StartOptions = {
  dataDir: string;
  /** How people run the command that moves data of another major version. */
  upgradeCommand: string;
  log: (line: string) => void;
  stagingBase?: string;
  findPort?: () => Promise<number>;
  /** Instead of those that npm installed for Pharos: for data of another major version. */
  installed?: PostgresBinaries;
  /** Ends the start: it rejects once nothing runs that it began. */
  signal?: AbortSignal;
};

const POLL_MS = 50;
const NOTICE_MS = 10_000;
const MAX_PORT_ATTEMPTS = 5;
const MAX_SHARED_MEMORY_ATTEMPTS = 20;

/** The server is not reachable yet, as opposed to permanently rejecting. */
const STILL_STARTING = /^(ECONNREFUSED|ECONNRESET|EPIPE|57P0[123])?$/;

/** Waits until the server accepts connections and has the database. Returns false if it ended instead. */
async function waitUntilReady(
  server: ServerProcess,
  target: ServerTarget,
  { log, signal }: Pick<StartOptions, 'log' | 'signal'>,
): Promise<boolean> {
  let nextNotice = performance.now() + NOTICE_MS;
  let reason = 'it does not respond';
  while (!server.hasExited()) {
    signal?.throwIfAborted();
    try {
      if (await ensureDatabase(target)) return true;
    } catch (error) {
      const { code = '' } = error as { code?: string };
      reason = describeError(error);
      if (!STILL_STARTING.test(code)) {
        // Another PostgreSQL may have taken the port and responded: ours is about to end then.
        await sleep(1_000);
        if (server.hasExited()) return false;
        if (code !== '28P01') throw error;
        throw new StartupError(
          'the password in secrets.json does not match the database: restore both from the same backup',
        );
      }
    }
    // Crash recovery has no time limit.
    if (performance.now() > nextNotice) {
      log(`waiting for PostgreSQL to accept connections: ${reason}`);
      nextNotice += NOTICE_MS;
    }
    await sleep(POLL_MS);
  }
  return false;
}

function formatAdvice(failure: string): string {
  if (/no space left/i.test(failure)) return 'the disk is full: free some space';
  if (/permission denied|invalid permissions|wrong ownership/i.test(failure))
    return 'check the owner and mode of that path';
  if (/cannot allocate memory|shared memory/i.test(failure)) return 'free some memory';
  return 'see the log';
}

/**
 * Launches the server and resolves when it accepts connections. Tries another port if its port was taken, and
 * retries while a dying backend holds the shared memory. Throws StartupError with the end of its log.
 */
async function runServer(
  options: Pick<StartOptions, 'dataDir' | 'log' | 'signal'> & {
    cluster: PreparedCluster;
    password: string;
    findPort: () => Promise<number>;
  },
) {
  const { cluster, dataDir, password, findPort, signal } = options;
  const logPath = join(dataDir, 'postgres.log');
  let takenPorts = 0;
  let busyMemory = 0;
  for (;;) {
    const port = await findPort();
    const server = await launchServer({ ...cluster, port, logPath });
    try {
      if (await waitUntilReady(server, { port, password, directory: cluster.directory }, options))
        return { server, port };
    } catch (error) {
      await server.stop();
      throw error;
    }
    const failure = await server.readFailure();
    signal?.throwIfAborted();
    if (/could not create any TCP\/IP sockets/.test(failure) && ++takenPorts < MAX_PORT_ATTEMPTS) continue;
    if (/pre-existing shared memory block/.test(failure) && ++busyMemory < MAX_SHARED_MEMORY_ATTEMPTS) {
      await sleep(500);
      continue;
    }
    throw new StartupError(`PostgreSQL failed to start: ${failure}; ${formatAdvice(failure)} (${logPath})`);
  }
}

/** The PostgreSQL server running in DATA_DIR. */
export type EmbeddedPostgres = Awaited<ReturnType<typeof startEmbeddedPostgres>>;

const DEFAULT_STAGING_BASE = '/var/lib/pharos';

/**
 * Prevents a second server on the same data. DATA_DIR has its own lock, but copies of a DATA_DIR may link to
 * one staged cluster, and a start would treat a server found there as a leftover and stop it.
 */
function lockCluster(path: string): FileLock {
  const lock = acquireFileLock(path);
  if (lock) return lock;
  throw new StartupError(
    `another Pharos (pid ${readLockHolder(path) ?? 'unknown'}) is running the database locked by ${path}; stop it`,
  );
}

/**
 * Starts the PostgreSQL server of DATA_DIR and resolves when it accepts connections: creates the data on the
 * first start, stops a server left behind by a killed start, and recovers from crashes. `stagingBase` is
 * where root stores what the server's user cannot reach elsewhere. DATA_DIR must exist (`ensureDataDir`).
 * Throws an actionable one-line StartupError.
 */
export async function startEmbeddedPostgres(options: StartOptions) {
  const { log, signal, stagingBase = DEFAULT_STAGING_BASE, findPort = findFreePort } = options;
  const locks: FileLock[] = [];
  const unlock = () => {
    for (const lock of locks) lock.release();
  };
  try {
    const dataDir = await realpath(options.dataDir);
    locks.push(lockCluster(join(dataDir, 'postgres.lock')));
    const { postgresPassword: password } = await readOrCreateSecrets(dataDir);
    const cluster = await prepareCluster({ ...options, dataDir, stagingBase, password });
    locks.push(lockCluster(join(cluster.directory, 'pharos.lock')));
    signal?.throwIfAborted();
    await stopLeftoverServer(cluster.directory, log);
    await removeStalePidFile(cluster.directory, log);
    const { server, port } = await runServer({ cluster, dataDir, password, log, findPort, signal });
    /** Resolves when the server has ended, requested or not. */
    const exited = server.exited.then(async (exit) => {
      await removeServerRecord(dataDir).catch((error) =>
        log(`could not remove runtime.json: ${describeError(error)}`),
      );
      unlock();
      return exit;
    });
    /** Stops the server cleanly: fast, immediately after 20 s. Further calls wait for the same stop. */
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
    /** For clients on this machine: `postgresql://pharos:…@127.0.0.1:…/pharos`. */
    const url = buildUrl(port, password);
    return { url, pid: server.pid, stop, exited, readFailure: server.readFailure };
  } catch (error) {
    unlock();
    if (error instanceof StartupError) throw error;
    throw new StartupError(`PostgreSQL failed to start: ${describeError(error)}`, { cause: error });
  }
}
