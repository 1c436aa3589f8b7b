import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { childEnvironment, VARIABLE_NAMES } from '@/lib/env';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Not that of the person who runs the tests. */
const STATE_HOME = join(tmpdir(), 'pharos-test-state');

/** A worker in its own process, as in production. */
export type Worker = {
  pid: number;
  /** Kills it like a power failure: nothing is finished or released. */
  kill(): Promise<void>;
  /** Stops it like an operator would. */
  stop(): Promise<void>;
};

/** Runs `pharos worker`, or `pharos probe`, until it is ready. `env` is added to an environment without any other Pharos settings. */
export async function startWorker(
  env: Record<string, string>,
  verb: 'worker' | 'probe' = 'worker',
): Promise<Worker> {
  return startProgram([process.execPath, join(root, 'bin', 'pharos.mjs'), verb], env, root);
}

/** The same for another program that announces when it is ready, in any directory. */
export async function startProgram(
  [program = '', ...words]: string[],
  env: Record<string, string>,
  cwd: string,
): Promise<Worker> {
  const unset = Object.fromEntries(VARIABLE_NAMES.map((name) => [name, '']));
  const child = spawn(program, words, {
    cwd,
    env: childEnvironment({ ...unset, LOG_LEVEL: 'warn', XDG_STATE_HOME: STATE_HOME, ...env }),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const killAtExit = () => child.kill('SIGKILL');
  process.once('exit', killAtExit);
  const exited = once(child, 'exit').finally(() => process.off('exit', killAtExit));
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await exited;
  };
  await Promise.race([
    once(child, 'message'),
    exited.then(() =>
      Promise.reject(new Error(`${[program, ...words].join(' ')} exited before it was ready`)),
    ),
  ]);
  return { pid: child.pid ?? 0, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') };
}
