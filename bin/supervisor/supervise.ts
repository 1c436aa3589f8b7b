import { type ChildProcess, spawn } from 'node:child_process';
import { StartupError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import { childEnvironment } from '@/lib/env';
import { bundlePath } from '../cli/paths';

export type Supervised = {
  /** Resolves when every process has said that it works; rejects when one ends before. */
  ready: Promise<void>;
  /** Ends the process of a verb, for the next one to run what was built meanwhile. */
  restart(verb: string): void;
  /** Stops them in reverse order of starting; one that does not end within the grace is killed. */
  stop(): Promise<void>;
};

const GRACE_MS = 12_000;
const SHORTEST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** A process that worked for so long had a fresh start. */
const STEADY_MS = 60_000;
/** A process that is ready says every second that it is alive; one that has said nothing for so long is stuck. */
const SILENT_MS = 30_000;
/** A start may wait a minute for its database, twice or thrice; after so long it is stuck too. */
const LONGEST_START_MS = 300_000;
const LOOK_MS = 1000;
/**
 * Half of V8's limit (MB), and two of glibc's heaps instead of eight per core: what a start leaves behind in either is never
 * given back, and a process at rest would hold it.
 */
const YOUNG_GENERATION = '--max-semi-space-size=8';
const MALLOC_ARENA_MAX = '2';

type Options = {
  environment: Record<string, string>;
  log: Logger;
  /** What follows each verb. */
  flags?: string[];
  /** What is run, with the verb as its argument: this command, if not said otherwise. */
  program?: string;
  /** After how many milliseconds of silence a process is killed. */
  silentMs?: number;
};

/**
 * Runs verbs of this command as processes of their own, starts each again that ends unasked, and kills those that are stuck,
 * which starts them again as well.
 */
export function supervise(verbs: string[], options: Options): Supervised {
  const children = verbs.map((verb) => keepRunning(verb, options));
  return {
    restart: (verb) => children[verbs.indexOf(verb)]?.restart(),
    ready: Promise.all(children.map((child) => child.ready)).then(() => undefined),
    stop: async () => {
      for (const child of children.toReversed()) await child.stop();
    },
  };
}

function keepRunning(
  verb: string,
  { environment, log, program = bundlePath, silentMs = SILENT_MS, flags = [] }: Options,
) {
  let child: ChildProcess;
  let watch: Watch | undefined;
  let stopping = false;
  let restarting = false;
  let wasReady = false;
  let waitMs = SHORTEST_WAIT_MS;
  let restartTimer: NodeJS.Timeout | undefined;
  let settle: { resolve(): void; reject(error: Error): void } | undefined;
  const ready = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });

  const launch = () => {
    const startedAt = performance.now();
    child = spawn(process.execPath, [YOUNG_GENERATION, program, verb, ...flags], {
      env: childEnvironment({ MALLOC_ARENA_MAX, NODE_ENV: 'production', ...environment }),
      stdio: ['ignore', process.stderr, process.stderr, 'ipc'],
    });
    const { pid } = child;
    const own = watchForSilence((quietMs, isReady) => {
      const limitMs = isReady ? silentMs : LONGEST_START_MS;
      if (quietMs <= limitMs) return;
      const fields = { process: verb, childPid: pid, silentMs: Math.round(quietMs) };
      log.error(fields, 'a process does not respond; it is killed and started again');
      child.kill('SIGKILL');
    });
    watch = own;
    child.on('message', (message) => {
      own.heard(message === 'ready');
      if (message !== 'ready') return;
      if (wasReady) log.info({ process: verb, childPid: pid }, 'a process is ready again');
      wasReady = true;
      settle?.resolve();
    });
    child.on('exit', (code, signal) => {
      own.end();
      if (stopping) return;
      if (restarting) {
        restarting = false;
        return launch();
      }
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
    restart: () => {
      restarting = true;
      child.kill('SIGTERM');
    },
    stop: async () => {
      stopping = true;
      watch?.end();
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

type Watch = { heard(isReady: boolean): void; end(): void };

/** Tells every second for how long a process has said nothing, on a clock that stands still while this one does. */
function watchForSilence(tell: (quietMs: number, isReady: boolean) => void): Watch {
  let isReady = false;
  let quietMs = 0;
  let lookedAt = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    // After a pause of this very process, or of the machine, what was said meanwhile is still to be heard.
    quietMs += Math.min(now - lookedAt, 2 * LOOK_MS);
    lookedAt = now;
    tell(quietMs, isReady);
  }, LOOK_MS);
  return {
    heard: (saysReady) => {
      isReady ||= saysReady;
      quietMs = 0;
    },
    end: () => clearInterval(timer),
  };
}
