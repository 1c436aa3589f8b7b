import { type ChildProcess, spawn } from 'node:child_process';
import { StartupError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import { childEnvironment } from '@/lib/env';
import { bundlePath } from '../cli/paths';

export type Supervised = {
  /** Resolves when every process has said that it works; rejects when one ends before. */
  ready: Promise<void>;
  /** Stops them in reverse order of starting; one that does not end within the grace is killed. */
  stop(): Promise<void>;
};

const GRACE_MS = 12_000;
const SHORTEST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** A process that worked for so long had a fresh start. */
const STEADY_MS = 60_000;

/** Runs verbs of this command as processes of their own, and starts each again that ends unasked. */
export function supervise(
  verbs: string[],
  { environment, log }: { environment: Record<string, string>; log: Logger },
): Supervised {
  const children = verbs.map((verb) => keepRunning(verb, environment, log));
  return {
    ready: Promise.all(children.map((child) => child.ready)).then(() => undefined),
    stop: async () => {
      for (const child of children.toReversed()) await child.stop();
    },
  };
}

function keepRunning(verb: string, environment: Record<string, string>, log: Logger) {
  let child: ChildProcess;
  let stopping = false;
  let wasReady = false;
  let waitMs = SHORTEST_WAIT_MS;
  let restartTimer: NodeJS.Timeout | undefined;
  let settle: { resolve(): void; reject(error: Error): void } | undefined;
  const ready = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });

  const launch = () => {
    const startedAt = performance.now();
    child = spawn(process.execPath, ['--enable-source-maps', bundlePath, verb], {
      env: childEnvironment({ ...environment, NODE_ENV: 'production' }),
      stdio: ['ignore', process.stderr, process.stderr, 'ipc'],
    });
    child.on('message', (message) => {
      if (message !== 'ready') return;
      wasReady = true;
      settle?.resolve();
    });
    child.on('exit', (code, signal) => {
      if (stopping) return;
      if (!wasReady) {
        settle?.reject(new StartupError(`${verb} could not start; the line above says why`));
        return;
      }
      if (performance.now() - startedAt > STEADY_MS) waitMs = SHORTEST_WAIT_MS;
      log.error({ process: verb, code, signal, waitMs }, 'a process ended unasked; starting it again');
      restartTimer = setTimeout(launch, waitMs);
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
    });
  };
  launch();

  return {
    ready,
    stop: async () => {
      stopping = true;
      clearTimeout(restartTimer);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = new Promise((done) => child.once('exit', done));
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
      await exited;
      clearTimeout(timer);
    },
  };
}
