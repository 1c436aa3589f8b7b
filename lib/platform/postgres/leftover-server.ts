import { readdir, readFile, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartupError } from '@/lib/core/errors';
import { nameCluster } from './create-cluster';
import { runProgram } from './server-user';

/** A running process. `command` is its title: its arguments joined by spaces. */
type RunningProcess = { pid: number; command: string; workingDirectory: string | null };

async function readProcess(pid: number): Promise<RunningProcess[]> {
  try {
    const title = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    // Empty for kernel threads, and for zombies, which no longer hold anything.
    if (title === '') return [];
    const workingDirectory = await readlink(`/proc/${pid}/cwd`).catch(() => null);
    return [{ pid, command: title.replaceAll('\0', ' '), workingDirectory }];
  } catch {
    return [];
  }
}

/** All running processes. Working directories are only known on Linux, and not for all users' processes. */
async function listProcesses(): Promise<RunningProcess[]> {
  if (process.platform === 'linux') {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
    return (await Promise.all(pids.map(readProcess))).flat();
  }
  const { output } = await runProgram('ps', ['-axww', '-o', 'pid=,command='], null);
  return output.split('\n').flatMap((line) => {
    const [, pid, command] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid && command ? [{ pid: Number(pid), command: `${command} `, workingDirectory: null }] : [];
  });
}

/** The pids of one server. */
type ServerProcesses = { postmasters: number[]; children: number[] };

/** The pid in postmaster.pid, which may be stale, or null if there is none. */
function readPid(directory: string): Promise<number | null> {
  return readFile(join(directory, 'postmaster.pid'), 'utf8').then(
    (text) => Number.parseInt(text, 10) || null,
    () => null,
  );
}

function isPostmaster({ command, workingDirectory }: RunningProcess, directory: string): boolean {
  if (command.includes(`/postgres -D ${directory} `)) return true;
  // Started manually, with another name for the directory.
  return workingDirectory === directory && /^\S*postgres\s/.test(command);
}

function isChild({ command, workingDirectory }: RunningProcess, directory: string): boolean {
  if (!command.startsWith('postgres: ')) return false;
  return command.startsWith(`postgres: ${nameCluster(directory)}: `) || workingDirectory === directory;
}

/** The processes of the server of exactly this data directory. */
export async function findServerProcesses(directory: string): Promise<ServerProcesses> {
  const recorded = await readPid(directory);
  const processes = await listProcesses();
  return {
    // Both pid and title must match: the pid may have been reused, and a wrapper's title may contain the
    // server's.
    postmasters: processes
      .filter((each) => each.pid === recorded && isPostmaster(each, directory))
      .map(({ pid }) => pid),
    children: processes.filter((each) => isChild(each, directory)).map(({ pid }) => pid),
  };
}

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

/** The remaining processes of the server, as soon as there are none or after `timeoutMs`. */
async function waitUntilGone(directory: string, timeoutMs: number): Promise<ServerProcesses> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const left = await findServerProcesses(directory);
    if (listPids(left).length === 0 || performance.now() >= deadline) return left;
    await sleep(POLL_MS);
  }
}

function listPids({ postmasters, children }: ServerProcesses): number[] {
  return [...postmasters, ...children];
}

/**
 * Stops a server that an earlier start left running in `directory` (its supervisor was killed): fast first,
 * immediately after 30 s. Also ends orphaned backends of a killed postmaster, since they hold its shared
 * memory. Only signals processes known to serve this directory. Throws StartupError if one does not end.
 */
export async function stopLeftoverServer(directory: string, log: (line: string) => void): Promise<void> {
  let left = await findServerProcesses(directory);
  if (listPids(left).length === 0) return;
  const hasPostmaster = left.postmasters.length > 0;
  const pids = hasPostmaster ? left.postmasters : left.children;
  log(`stopping the PostgreSQL server left running by an earlier start (pid ${pids.join(', ')})`);
  const steps: [NodeJS.Signals, number][] = [
    ['SIGINT', hasPostmaster ? 30_000 : 1_000],
    ['SIGQUIT', 10_000],
    ['SIGKILL', 5_000],
  ];
  for (const [signal, patienceMs] of steps) {
    // For child processes SIGINT has another meaning. Without a postmaster they end on their own.
    sendSignal(signal === 'SIGINT' ? left.postmasters : listPids(left), signal);
    left = await waitUntilGone(directory, patienceMs);
    if (listPids(left).length === 0) return;
  }
  throw new StartupError(
    `an earlier PostgreSQL server does not stop (pid ${listPids(left).join(', ')}): stop it manually`,
  );
}

/**
 * Removes a postmaster.pid whose pid was reused by another program, which PostgreSQL would mistake for a
 * running server. The caller has verified that no server runs in `directory`; PostgreSQL itself handles
 * unused pids.
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
