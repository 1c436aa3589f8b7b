import { spawn } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartupError } from '@/lib/core/errors';
import type { PostgresBinaries } from './binaries';
import { chooseSharedMemory, nameCluster } from './create-cluster';
import { type RunAs, SERVER_ENVIRONMENT } from './server-user';

/** How the server ended; `requested` distinguishes a stop from a crash. */
export type ServerExit = { code: number | null; signal: NodeJS.Signals | null; requested: boolean };

/** A started postgres process, which may not accept connections yet. */
export type ServerProcess = Awaited<ReturnType<typeof launchServer>>;

const STOP_STEPS: [NodeJS.Signals, number][] = [
  ['SIGINT', 20_000],
  ['SIGQUIT', 10_000],
  ['SIGKILL', 5_000],
];

/** Starts postgres on `port`, logging to `logPath`. Throws StartupError if the program cannot be started. */
export async function launchServer(options: {
  binaries: PostgresBinaries;
  directory: string;
  runAs: RunAs;
  port: number;
  logPath: string;
}) {
  const { binaries, directory, runAs, port, logPath } = options;
  const serverArguments = await buildServerArguments(directory, port, runAs);
  const { file, offset } = await openServerLog(logPath);
  const child = spawn(binaries.postgres, serverArguments, {
    cwd: '/',
    env: SERVER_ENVIRONMENT,
    stdio: ['ignore', file.fd, file.fd],
    // Its own session: Ctrl-C in the terminal must not stop the database before web and worker have ended.
    detached: true,
    ...runAs,
  });
  let ended = false;
  let requested = false;
  const exited = new Promise<ServerExit>((resolve) => {
    const finish = (code: number | null, signal: NodeJS.Signals | null) => {
      ended = true;
      resolve({ code, signal, requested });
    };
    child.once('exit', finish);
    child.once('error', () => finish(null, null));
  });
  await file.close();
  const { pid } = child;
  if (pid === undefined) throw new StartupError(`${binaries.postgres} cannot be started`);

  let stopping: Promise<void> | undefined;
  const stop = async () => {
    requested = true;
    for (const [signal, patienceMs] of STOP_STEPS) {
      if (ended) return;
      child.kill(signal);
      await Promise.race([exited, sleep(patienceMs, null, { ref: false })]);
    }
    await exited;
  };
  return {
    pid,
    exited,
    hasExited: () => ended,
    /** Stops it: fast, immediately after 20 s, forcibly after 10 s more. Resolves when it has ended. */
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
    /** Why it ended, according to its log. */
    readFailure: async () =>
      findLastFatal(await readServerLog(logPath, offset)) ?? 'it ended without an error message',
  };
}

const MAX_BYTES = 10 * 1024 * 1024;

/** Opens the server's log for appending, emptied beyond 10 MB. The lines of this start begin at `offset`. */
export async function openServerLog(path: string) {
  const file = await open(path, 'a', 0o600);
  const { size } = await file.stat();
  if (size <= MAX_BYTES) return { file, offset: size };
  await file.truncate();
  return { file, offset: 0 };
}

/** The log from `offset`, at most the last 64 KiB; empty if it cannot be read. */
export async function readServerLog(path: string, offset: number): Promise<string> {
  const log = await readFile(path).catch(() => Buffer.alloc(0));
  return log.toString('utf8', Math.max(offset, log.length - 64 * 1024));
}

/** Why the server ended, according to its log: the last FATAL or PANIC message, or else the last line. */
export function findLastFatal(log: string): string | null {
  const lines = log.split('\n').filter((line) => line.trim() !== '');
  const fatal = lines.findLast((line) => /\b(FATAL|PANIC): /.test(line));
  if (fatal) return fatal.replace(/^.*?\b(FATAL|PANIC): +/, '');
  return lines.at(-1)?.trim() ?? null;
}

/** The arguments of `postgres`: settings that override postgresql.conf. */
async function buildServerArguments(directory: string, port: number, runAs: RunAs): Promise<string[]> {
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    logging_collector: 'off',
    log_destination: 'stderr',
    cluster_name: nameCluster(directory),
    ...(await chooseSharedMemory(runAs)),
  };
  const overrides = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', directory, ...overrides];
}
