import { spawn } from 'node:child_process';
import { StartupError } from '@/lib/core/errors';
import type { PostgresBinaries } from './binaries';
import { type RunAs, SERVER_ENVIRONMENT } from './run-program';
import { findLastFatal, openServerLog, readServerLog } from './server-log';
import { buildServerArguments } from './server-settings';

/** How the server ended; `requested` tells a stop of ours from a crash. */
export type ServerExit = { code: number | null; signal: NodeJS.Signals | null; requested: boolean };

/** A postgres that was started; whether it accepts connections is another matter. */
export type ServerProcess = {
  pid: number;
  exited: Promise<ServerExit>;
  /** Whether it has ended. */
  hasExited(): boolean;
  /** Stops it: fast, after 20 s immediately, after 10 s more by force. Resolves when it has ended. */
  stop(): Promise<void>;
  /** Why it ended, by its log. */
  readFailure(): Promise<string>;
};

const STOP_STEPS: [NodeJS.Signals, number][] = [
  ['SIGINT', 20_000],
  ['SIGQUIT', 10_000],
  ['SIGKILL', 5_000],
];

function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    promise.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

/** Starts postgres on `port`, logging to `logPath`. Throws StartupError when the program does not start at all. */
export async function launchServer(options: {
  binaries: PostgresBinaries;
  directory: string;
  runAs: RunAs;
  port: number;
  logPath: string;
}): Promise<ServerProcess> {
  const { binaries, directory, runAs, port, logPath } = options;
  const serverArguments = await buildServerArguments({ directory, port, runAs });
  const { file, offset } = await openServerLog(logPath);
  const child = spawn(binaries.postgres, serverArguments, {
    cwd: '/',
    env: SERVER_ENVIRONMENT,
    stdio: ['ignore', file.fd, file.fd],
    // Its own session: a Ctrl-C of the terminal must not stop the database before web and worker have ended.
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
      if (await settlesWithin(exited, patienceMs)) return;
    }
    await exited;
  };
  return {
    pid,
    exited,
    hasExited: () => ended,
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
    readFailure: async () =>
      findLastFatal(await readServerLog(logPath, offset)) ?? 'it ended without saying why',
  };
}
