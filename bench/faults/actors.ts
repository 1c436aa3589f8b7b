import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { childEnvironment } from '@/lib/env';
import { root } from '../playground';
import type { VirtualTime } from './virtual-time';

/** A process under test, which can be ended and started again. Its output goes to a file. */
export type Actor = {
  name: string;
  verb: 'worker' | 'web';
  /** The address that its connections come from. */
  source: string;
  logFile: string;
  start(): Promise<void>;
  kill(): Promise<void>;
  /** SIGTERM, as an operator would. */
  stop(): Promise<void>;
  stall(): void;
  resume(): void;
  /** Sets its clock wrong by this many milliseconds. */
  jump(ms: number): Promise<void>;
};

/** Milliseconds of real time that a process may take to start or to stop. */
const PATIENCE_MS = 30_000;

export type ActorOptions = {
  name: string;
  verb: 'worker' | 'web';
  source: string;
  environment: Record<string, string>;
  directory: string;
  time: VirtualTime;
};

/** Prepares a process; `start` starts it. */
export function createActor({ name, verb, source, environment, directory, time }: ActorOptions): Actor {
  const jumpFile = join(directory, `${name}.jump`);
  const logFile = join(directory, `${name}.log`);
  let output: WriteStream | undefined;
  let child: ChildProcess | null = null;
  let exited: Promise<unknown> = Promise.resolve();
  process.once('exit', () => child?.kill('SIGKILL'));

  const end = async (signal: NodeJS.Signals) => {
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
    verb,
    source,
    logFile,
    start: async () => {
      await writeFile(jumpFile, '0');
      output ??= createWriteStream(logFile, { flags: 'a' });
      const started = spawn(process.execPath, [join(root, 'dist', 'pharos.mjs'), verb], {
        cwd: root,
        env: childEnvironment({
          ...environment,
          ...time.environment({ source, jumpFile }),
          NODE_ENV: 'production',
        }),
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      });
      child = started;
      started.stdout?.pipe(output, { end: false });
      started.stderr?.pipe(output, { end: false });
      const exit = once(started, 'exit').then(() => {
        if (child === started) child = null;
      });
      exited = exit;
      // Killed before it is ready: the next fault, not an error.
      await Promise.race([once(started, 'message'), exit]);
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    stall: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    jump: (ms) => writeFile(jumpFile, String(ms)),
  };
}
