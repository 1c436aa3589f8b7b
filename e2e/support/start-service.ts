import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { patience } from '@/bin/testing/patience.mjs';
import { findFreePort } from '@/lib/core/ports';
import { childEnvironment, VARIABLE_NAMES } from '@/lib/env';
import { createOpenFolder } from '@/lib/testing/open-folder';
import { createDataDir } from './prepared-data';

/** A complete Pharos, started as by a user, with its own DATA_DIR. */
export type Service = {
  /** `http://…`, without a path. */
  url: string;
  /** The URL printed at startup: with `/setup?token=…` for a fresh DATA_DIR. */
  setupUrl: string;
  dataDir: string;
  /** The process of `pharos start`, which leads its process group. */
  pid: number;
  /** All output so far, stdout and stderr. */
  logs(): string;
  /** Stops it like an operator would and deletes its data, except a DATA_DIR passed by the caller. */
  stop(): Promise<void>;
};

const root = fileURLToPath(new URL('../..', import.meta.url));
const READY = /ready at (https?:\S+)/;
/** With a build, if there is none. */
const START_MS = patience(240_000);
const STOP_MS = patience(60_000);
const MAX_STARTS = 3;

type StartOptions = {
  env?: Record<string, string>;
  dataDir?: string;
  throughNpm?: boolean;
  directory?: string;
};

/**
 * Runs `pharos start` on a free port until it is ready. `env` is added to an environment without any other Pharos settings;
 * `dataDir` reuses the data of a test; `throughNpm` runs `npm start`, as in the README; `directory` is the installation, by
 * default this one. Throws with the output if it exits or is not ready in time.
 */
export async function startService(options: StartOptions = {}): Promise<Service> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce(options);
    } catch (error) {
      // Another process may have taken the port in the meantime.
      const isPortTaken = error instanceof Error && /^PORT \d+ is in use/m.test(error.message);
      if (!isPortTaken || options.env?.PORT !== undefined || attempt === MAX_STARTS) throw error;
    }
  }
}

async function startOnce(options: StartOptions): Promise<Service> {
  const playground = await createOpenFolder('pharos-e2e-');
  const dataDir = options.dataDir ?? join(playground, 'data');
  // Another installation shows that it can create its database, too.
  if (options.dataDir === undefined && options.directory === undefined) await createDataDir(dataDir);
  else await mkdir(dataDir, { recursive: true });

  // An empty variable counts as unset and takes precedence over a developer's .env.
  const unset = Object.fromEntries(VARIABLE_NAMES.map((name) => [name, '']));
  const own = { HOST: '127.0.0.1', PORT: String(await findFreePort()), DATA_DIR: dataDir };
  const { directory = root } = options;
  const direct = [process.execPath, join(directory, 'bin', 'pharos.mjs'), 'start'];
  const [program = '', ...args] = options.throughNpm ? ['npm', 'start'] : direct;
  const child = spawn(program, args, {
    cwd: directory,
    env: childEnvironment({ ...unset, ...own, ...options.env }),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const output = collectOutput(child);
  // The last resort, for a runner that exits without stopping its tests.
  const killAtExit = () => child.kill('SIGTERM');
  process.once('exit', killAtExit);

  const stop = async () => {
    await stopProcess(child);
    process.off('exit', killAtExit);
    await rm(playground, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
  try {
    const setupUrl = await waitUntilReady(child, output);
    const { origin: url } = new URL(setupUrl);
    return { url, setupUrl, dataDir, pid: child.pid ?? 0, logs: output.all, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Output = { stdout(): string; all(): string; changed: EventTarget };

function collectOutput(child: ChildProcess): Output {
  const changed = new EventTarget();
  let stdout = '';
  let all = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
    all += chunk;
    changed.dispatchEvent(new Event('stdout'));
  });
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    all += chunk;
  });
  return { stdout: () => stdout, all: () => all, changed };
}

function waitUntilReady(child: ChildProcess, output: Output): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new Error(`pharos start ${reason}; it wrote:\n${output.all()}`));
    const timer = setTimeout(() => fail(`was not ready within ${START_MS / 1000} s`), START_MS);
    child.once('error', (error) => fail(`could not be run (${error.message})`));
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      fail(`ended with ${signal ?? code}`);
    });
    output.changed.addEventListener('stdout', () => {
      const address = READY.exec(output.stdout())?.[1];
      if (!address) return;
      clearTimeout(timer);
      resolve(address);
    });
  });
}

/** Sends SIGTERM to the process, and SIGKILL to its group if it does not stop. */
async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const patience = new AbortController();
  const late = sleep(STOP_MS, 'late', { signal: patience.signal }).catch(() => 'stopped');
  const outcome = await Promise.race([exited, late]);
  patience.abort();
  if (outcome !== 'late') return;
  signalGroup(child, 'SIGKILL');
  await exited;
  throw new Error(`pharos start did not stop within ${STOP_MS / 1000} s after SIGTERM`);
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // All of them have exited.
  }
}
