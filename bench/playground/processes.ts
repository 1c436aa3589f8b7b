import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename, join } from 'node:path';
import { childEnvironment } from '@/lib/env';
import { root } from './environment';

type Settings = Record<string, string>;

export type TargetPorts = { responding: number[]; hanging: number };

/** A process of the benchmark, which ends with it; `stop` and `kill` (SIGKILL) resolve when it has ended. */
export type Child = { pid: number; stop(): Promise<void>; kill(): Promise<void> };

/** A benchmark script in a separate process. It handles one message at a time. */
export type Script = Awaited<ReturnType<typeof startScript>>;

/** Starts a script, given by its path below bench; resolves on its first message. */
export async function startScript(path: string, args: string[] = []) {
  const child = spawn(process.execPath, [join(root, 'bench', path), ...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const hello = await firstMessage(child, basename(path));
  return {
    ...handle(child),
    /** Its first message, sent when it is ready. */
    hello,
    /** Sends a message and resolves to the response, whose type the caller knows. */
    request: async <Reply = unknown>(message: object | string) => {
      const reply = firstMessage(child, basename(path));
      child.send(message);
      return (await reply) as Reply;
    },
  };
}

/** Starts the targets in a separate process. */
export async function startTargets(): Promise<Child & { ports: TargetPorts }> {
  const script = await startScript('playground/target.mjs');
  return { ...script, ports: script.hello as TargetPorts };
}

/** Starts a command as in production; resolves when it is ready. */
export async function startProcess(
  verb: 'web' | 'worker' | 'probe',
  settings: Settings,
  profile: string | null = null,
): Promise<Child> {
  const profiling = profile === null ? [] : ['--cpu-prof', '--cpu-prof-dir', profile];
  const bundle = join(root, 'dist', 'pharos.mjs');
  const child = spawn(process.execPath, [...profiling, bundle, verb], {
    cwd: root,
    env: childEnvironment({ ...settings, NODE_ENV: 'production' }),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await firstMessage(child, `pharos ${verb}`);
  return handle(child);
}

/** A whole installation; `ended` rejects if it ends by itself, and `stop` resolves when it has ended. */
export type Service = { pid: number; ended: Promise<never>; stop(): Promise<void> };

/** Starts an installation as `npm start` does; resolves when it is ready. */
export async function startService(settings: Settings): Promise<Service> {
  const child = spawn(process.execPath, [join(root, 'bin', 'pharos.mjs'), 'start'], {
    cwd: root,
    env: childEnvironment(settings),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit').then((): never => {
    throw new Error('the service ended; see the lines above');
  });
  ended.catch(() => undefined);
  const { pid, stop } = handle(child);
  await Promise.race([once(child.stdout, 'data'), ended]);
  return { pid, ended, stop };
}

/** Starts `next start` on the build in `directory`; resolves when it is ready. */
export async function startNext(directory: string, port: number, settings: Settings): Promise<Child> {
  const next = join(root, 'node_modules', 'next', 'dist', 'bin', 'next');
  const child = spawn(process.execPath, [next, 'start', '-p', String(port), '-H', '127.0.0.1'], {
    cwd: directory,
    env: childEnvironment({ ...settings, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => String(chunk).includes('Ready') && resolve());
    child.once('exit', () => reject(new Error('next start ended before it was ready')));
  });
  return handle(child);
}

/** The port that a script listens on. */
export function portOf({ hello }: Script): number {
  return (hello as { port: number }).port;
}

async function firstMessage(child: ChildProcess, name: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const end = () => reject(new Error(`${name} exited before it responded; see the lines above`));
    child.once('message', (message) => {
      child.off('error', reject).off('exit', end);
      resolve(message);
    });
    child.once('error', reject);
    child.once('exit', end);
  });
}

function handle(child: ChildProcess): Child {
  // If interrupted, its data is discarded anyway.
  const endWithUs = () => child.kill('SIGKILL');
  process.once('exit', endWithUs);
  child.once('exit', () => process.off('exit', endWithUs));
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };
  return { pid: child.pid ?? 0, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
}
