import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeError, StartupError } from '@/lib/core/errors';
import { ensureDatabase } from './connection';
import type { PreparedCluster } from './prepare-cluster';
import { launchServer, type ServerProcess } from './server-process';

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
export async function runServer(options: {
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
