import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync, type WriteStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { childEnvironment } from '@/lib/env';
import { root } from '../playground';
import type { VirtualTime } from './virtual-time';

/** A process under test, which can be ended and started again, and is when it ends by itself. Its output goes to a file. */
export type Actor = {
  name: string;
  /** The address that its connections come from. */
  source: string;
  logFile: string;
  /** Resolves when it responds, or has ended before. */
  start(): Promise<void>;
  kill(): Promise<void>;
  /** SIGTERM, as an operator would. */
  stop(): Promise<void>;
  stall(): void;
  resume(): void;
  /** Makes its clock wrong by this many milliseconds. */
  jump(ms: number): Promise<void>;
  /** Takes its network away, or gives it back. */
  cutOff(isCutOff: boolean): Promise<void>;
  /** The process id, or null while it does not run. */
  pid(): number | null;
};

/** Milliseconds of real time that a process may take to start or to stop. */
const PATIENCE_MS = 120_000;
const POLL_MS = 50;
/** Milliseconds of real time after which a process that ended by itself is started again. */
const RESTART_MS = 200;

export type ActorOptions = {
  name: string;
  verb: 'start' | 'worker' | 'web' | 'probe';
  source: string;
  /** URLs that respond once it runs. */
  live: string[];
  environment: Record<string, string>;
  directory: string;
  time: VirtualTime;
};

/** Prepares a process; `start` starts it. */
export function createActor({ verb, environment, directory, time, ...own }: ActorOptions): Actor {
  const { name, source, live } = own;
  const controlFile = join(directory, `${name}.json`);
  const logFile = join(directory, `${name}.log`);
  const control = { jumpMs: 0, isCutOff: false };
  const save = () => writeFile(controlFile, JSON.stringify(control));
  let output: WriteStream | undefined;
  let child: ChildProcess | null = null;
  let exited: Promise<unknown> = Promise.resolve();
  /** Whether it should run: one that gives up, without a database, is started again, as systemd does. */
  let isWanted = false;
  process.once('exit', () => child?.kill('SIGKILL'));

  const launch = () => {
    output ??= createWriteStream(logFile, { flags: 'a' });
    const started = spawn(process.execPath, [join(root, 'dist', 'pharos.mjs'), verb], {
      cwd: root,
      env: childEnvironment({
        ...environment,
        ...time.environment({ source, controlFile }),
        NODE_ENV: 'production',
      }),
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    child = started;
    started.stdout?.pipe(output, { end: false });
    started.stderr?.pipe(output, { end: false });
    exited = once(started, 'exit').then(() => {
      child = null;
      if (isWanted) setTimeout(() => isWanted && child === null && launch(), RESTART_MS);
    });
  };
  const end = async (signal: NodeJS.Signals) => {
    isWanted = false;
    const ending = child;
    if (!ending) return;
    // A stalled process takes no signal but these.
    ending.kill('SIGCONT');
    ending.kill(signal);
    const timer = setTimeout(() => ending.kill('SIGKILL'), PATIENCE_MS);
    await exited;
    clearTimeout(timer);
  };
  return {
    name,
    source,
    logFile,
    start: async () => {
      Object.assign(control, { jumpMs: 0, isCutOff: false });
      await save();
      isWanted = true;
      launch();
      await waitUntilLive(live, () => isWanted).catch(async (error: unknown) => {
        throw new Error(`${name} does not start: ${(await readFile(logFile, 'utf8')).slice(-1000)}`, {
          cause: error,
        });
      });
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    stall: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    jump: async (jumpMs) => {
      Object.assign(control, { jumpMs });
      await save();
    },
    cutOff: async (isCutOff) => {
      Object.assign(control, { isCutOff });
      await save();
    },
    pid: () => child?.pid ?? null,
  };
}

/** A process that a launcher started, and starts again whenever it ends. */
export function createLaunchedActor(
  launcher: Actor,
  { name, verb, live }: Pick<ActorOptions, 'name' | 'live'> & { verb: 'worker' | 'web' },
): Actor {
  const pid = () => {
    const parent = launcher.pid();
    return parent === null ? null : (listChildren(parent).find((child) => verbOf(child) === verb) ?? null);
  };
  const signal = (name: NodeJS.Signals) => {
    const own = pid();
    if (own !== null) sendSignal([own], name);
  };
  return {
    ...launcher,
    name,
    pid,
    start: () => waitUntilLive(live, () => launcher.pid() !== null),
    kill: async () => signal('SIGKILL'),
    stop: async () => signal('SIGTERM'),
    stall: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
  };
}

/** Waits for responses of all URLs while `isRunning`. A process killed before it is ready: the next fault, not an error. */
async function waitUntilLive(urls: string[], isRunning: () => boolean): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  for (const url of urls) {
    while (isRunning() && !(await responds(url))) {
      if (performance.now() > until) throw new Error(`${url} does not respond`);
      await sleep(POLL_MS);
    }
  }
}

const responds = (url: string) =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

/** The processes that a process started. */
export function listChildren(parent: number): number[] {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim();
  return children === '' ? [] : children.split(' ').map(Number);
}

/** `node … pharos.mjs <verb>`. */
function verbOf(pid: number): string | undefined {
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  return words[words.findIndex((word) => word.endsWith('pharos.mjs')) + 1];
}

/** Sends a signal to those processes that still run. */
export function sendSignal(pids: number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch (error) {
      // It ended in the meantime.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
