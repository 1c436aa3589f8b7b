import type { ChildProcess } from 'node:child_process';
import { StartupError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import { bundlePath } from '../cli/paths';
import { spawnCommand } from './spawn-command';

export type Supervised = {
  /** Resolves when every process is ready; rejects if one exits first. */
  ready: Promise<void>;
  /** Restarts the process of a verb with the current build. */
  restart(verb: string): void;
  /** Stops processes in reverse order, and kills those that do not exit within the grace period. */
  stop(): Promise<void>;
};

const GRACE_MS = 12_000;
const SHORTEST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** A process that ran this long resets the restart delay. */
const STEADY_MS = 60_000;
/** A ready process sends a heartbeat every second. Without one for this long, it is stuck. */
const SILENT_MS = 30_000;
/** A start may wait for its database several times, a minute each. After this long, it is stuck. */
const LONGEST_START_MS = 300_000;
const POLL_MS = 1000;
/** Half of V8's limit (MB), and two glibc heaps instead of eight per core: idle processes keep the memory of their start. */
const YOUNG_GENERATION = '--max-semi-space-size=8';
const MALLOC_ARENA_MAX = '2';

type Options = {
  environment: Record<string, string>;
  log: Logger;
  /** Arguments after each verb. */
  flags?: string[];
  /** The program to run with the verb as its argument; this command by default. */
  program?: string;
  /** Milliseconds without a heartbeat after which a process is killed. */
  silentMs?: number;
};

/** Runs verbs of this command as separate processes. Restarts those that exit unexpectedly, and kills stuck ones. */
export function supervise(verbs: string[], options: Options): Supervised {
  const children = verbs.map((verb) => keepRunning(verb, options));
  return {
    restart: (verb) => children[verbs.indexOf(verb)]?.restart(),
    ready: Promise.all(children.map((child) => child.ready)).then(() => undefined),
    stop: async () => {
      // A signal may reach all of them at once: do not restart one while another one stops.
      for (const child of children) child.expectEnd();
      for (const child of children.toReversed()) await child.stop();
    },
  };
}

function keepRunning(verb: string, options: Options) {
  const { log } = options;
  let running: Running;
  let stopping = false;
  let restarting = false;
  let wasReady = false;
  let waitMs = SHORTEST_WAIT_MS;
  let restartTimer: NodeJS.Timeout | undefined;
  let settle: { resolve(): void; reject(error: Error): void } | undefined;
  const ready = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });

  const onReady = (childPid: number | undefined) => {
    if (wasReady) log.info({ process: verb, childPid }, 'a process is ready again');
    wasReady = true;
    settle?.resolve();
  };
  const launch = () => {
    const startedAt = performance.now();
    const onEnd = (code: number | null, signal: NodeJS.Signals | null) => {
      if (stopping) return;
      if (restarting) {
        restarting = false;
        return launch();
      }
      if (!wasReady) {
        settle?.reject(new StartupError(`${verb} could not start; see the line above`));
        return;
      }
      if (performance.now() - startedAt > STEADY_MS) waitMs = SHORTEST_WAIT_MS;
      log.error({ process: verb, code, signal, waitMs }, 'a process exited unexpectedly; restarting it');
      restartTimer = setTimeout(launch, waitMs);
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
    };
    running = start(verb, options, { onReady, onEnd });
  };
  launch();

  const expectEnd = () => {
    stopping = true;
    running.watch.end();
    clearTimeout(restartTimer);
  };
  return {
    ready,
    restart: () => {
      restarting = true;
      running.child.kill('SIGTERM');
    },
    /** From now on, its end is expected, for any reason. */
    expectEnd,
    stop: async () => {
      expectEnd();
      const { child } = running;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = new Promise((done) => child.once('exit', done));
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
      await exited;
      clearTimeout(timer);
    },
  };
}

type Running = { child: ChildProcess; watch: Watch };
type Observer = {
  onReady(pid: number | undefined): void;
  onEnd(code: number | null, signal: NodeJS.Signals | null): void;
};

/** Starts the process of a verb, and kills it when it is silent for too long. */
function start(
  verb: string,
  { environment, log, program = bundlePath, silentMs = SILENT_MS, flags = [] }: Options,
  { onReady, onEnd }: Observer,
): Running {
  const child = spawnCommand([YOUNG_GENERATION, program, verb, ...flags], {
    MALLOC_ARENA_MAX,
    ...environment,
  });
  const { pid } = child;
  const watch = watchForSilence((quietMs, isReady) => {
    const limitMs = isReady ? silentMs : LONGEST_START_MS;
    if (quietMs <= limitMs) return;
    const fields = { process: verb, childPid: pid, silentMs: Math.round(quietMs) };
    log.error(fields, 'a process does not respond; killing and restarting it');
    child.kill('SIGKILL');
  });
  child.on('message', (message) => {
    watch.heard(message === 'ready');
    if (message === 'ready') onReady(pid);
  });
  // Its last lines, which tell why, come first.
  child.on('close', (code, signal) => {
    watch.end();
    onEnd(code, signal);
  });
  return { child, watch };
}

type Watch = { heard(isReady: boolean): void; end(): void };

/** Reports every second how long a process has been silent. Time during which this process was paused does not count. */
function watchForSilence(report: (quietMs: number, isReady: boolean) => void): Watch {
  let isReady = false;
  let quietMs = 0;
  let polledAt = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    // After a pause of this process or the machine, messages from the meantime are still queued.
    quietMs += Math.min(now - polledAt, 2 * POLL_MS);
    polledAt = now;
    report(quietMs, isReady);
  }, POLL_MS);
  return {
    heard: (reportsReady) => {
      isReady ||= reportsReady;
      quietMs = 0;
    },
    end: () => clearInterval(timer),
  };
}
