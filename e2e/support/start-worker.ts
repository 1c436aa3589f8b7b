import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { childEnvironment, VARIABLE_NAMES } from '@/lib/env';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A worker in a process of its own, as production runs it. */
export type Worker = {
  pid: number;
  /** Ends it at once, as a power cut does: nothing is finished or given back. */
  kill(): Promise<void>;
  /** Ends it the way an operator does. */
  stop(): Promise<void>;
};

/** Runs `pharos worker`; resolves when it works. `env` is added to an environment without any other setting of Pharos. */
export async function startWorker(env: Record<string, string>): Promise<Worker> {
  const unset = Object.fromEntries(VARIABLE_NAMES.map((name) => [name, '']));
  const child = spawn(process.execPath, [join(root, 'bin', 'pharos.mjs'), 'worker'], {
    cwd: root,
    env: childEnvironment({ ...unset, LOG_LEVEL: 'warn', ...env }),
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
    exited.then(() => Promise.reject(new Error('the worker ended before it worked'))),
  ]);
  return { pid: child.pid ?? 0, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') };
}
