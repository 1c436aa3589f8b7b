import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartupError } from '@/lib/core/errors';
import { findServerProcesses, readPid, type ServerProcesses } from './find-server';

const POLL_MS = 100;

function sendSignal(pids: number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

async function waitUntilGone(directory: string, timeoutMs: number): Promise<ServerProcesses | null> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const left = await findServerProcesses(directory);
    if (left.postmasters.length + left.children.length === 0) return null;
    if (performance.now() >= deadline) return left;
    await sleep(POLL_MS);
  }
}

/**
 * Stops a server that an earlier start left running in `directory` (its supervisor was killed): first fast, after 30 s
 * immediately. Orphaned backends of a killed postmaster are ended too, since they hold its shared memory. Only processes
 * known to serve this directory are signalled. Throws StartupError when one does not end.
 */
export async function stopLeftoverServer(directory: string, log: (line: string) => void): Promise<void> {
  const found = await findServerProcesses(directory);
  if (found.postmasters.length + found.children.length === 0) return;
  const pids = found.postmasters.length > 0 ? found.postmasters : found.children;
  log(`stopping the PostgreSQL that an earlier start left running (pid ${pids.join(', ')})`);
  // Children get no SIGINT: to them it means something else than to the postmaster. Without one they end by themselves.
  sendSignal(found.postmasters, 'SIGINT');
  let left = await waitUntilGone(directory, found.postmasters.length > 0 ? 30_000 : 1_000);
  if (left) {
    sendSignal([...left.postmasters, ...left.children], 'SIGQUIT');
    left = await waitUntilGone(directory, 10_000);
  }
  if (left) {
    sendSignal([...left.postmasters, ...left.children], 'SIGKILL');
    left = await waitUntilGone(directory, 5_000);
  }
  if (!left) return;
  const survivors = [...left.postmasters, ...left.children].join(', ');
  throw new StartupError(`an earlier PostgreSQL does not stop (pid ${survivors}): end it by hand`);
}

/**
 * Removes a postmaster.pid whose pid now belongs to another program, which PostgreSQL would take for a running server. The
 * caller has made sure that no server runs in `directory`; a pid that is free PostgreSQL deals with itself.
 */
export async function removeStalePidFile(directory: string, log: (line: string) => void): Promise<void> {
  const path = join(directory, 'postmaster.pid');
  const pid = await readPid(directory);
  if (pid === null || pid <= 0) return;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
  }
  log(`removing a stale ${path}: its pid ${pid} now belongs to another program`);
  await rm(path, { force: true });
}
