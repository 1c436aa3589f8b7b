import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@/lib/core/ports';
import { childEnvironment, VARIABLE_NAMES } from '@/lib/env';

/** A whole Pharos, started as a user starts it, with a DATA_DIR of its own. */
export type Service = {
  /** `http://…`, without a path. */
  url: string;
  /** The address that the start printed: with `/setup?token=…` on a fresh DATA_DIR. */
  setupUrl: string;
  dataDir: string;
  /** Of `pharos start`, which is the leader of its process group. */
  pid: number;
  /** Everything it has written so far, stdout and stderr. */
  logs(): string;
  /** Stops it the way an operator does and removes what it kept, but for a DATA_DIR that was handed in. */
  stop(): Promise<void>;
};

const root = fileURLToPath(new URL('../..', import.meta.url));
const READY = /ready at (https?:\S+)/;
const START_MS = 90_000;
const STOP_MS = 40_000;
const MAX_STARTS = 3;

type StartOptions = {
  env?: Record<string, string>;
  dataDir?: string;
  throughNpm?: boolean;
  directory?: string;
};

/**
 * Runs `pharos start` on a free port and resolves when it says that it is ready. `env` is added to an environment in
 * which no other setting of Pharos is left; `dataDir` continues with one that a test keeps; `throughNpm` types what
 * the README says; `directory` is where Pharos lies, if not here. Throws with the output when it ends or stays silent
 * for 90 s instead.
 */
export async function startService(options: StartOptions = {}): Promise<Service> {
  for (let tries = 1; ; tries++) {
    try {
      return await startOnce(options);
    } catch (error) {
      // A port that was free a moment ago can be somebody else's by now.
      const isPortTaken = error instanceof Error && /^PORT \d+ is in use/m.test(error.message);
      if (!isPortTaken || options.env?.PORT !== undefined || tries === MAX_STARTS) throw error;
    }
  }
}

async function startOnce(options: StartOptions): Promise<Service> {
  const playground = await mkdtemp(join(tmpdir(), 'pharos-e2e-'));
  // Under root the database runs as another user, who has to get through here.
  await chmod(playground, 0o755);
  const dataDir = options.dataDir ?? join(playground, 'data');
  await mkdir(dataDir, { recursive: true });

  // An empty variable counts as unset, and keeps a developer's .env from being read into the test.
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
  // The last resort, for a runner that ends without stopping its tests.
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

/** SIGTERM to the one process that a user would stop; SIGKILL to all of its group if that does not do. */
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
    // All of them have ended.
  }
}
