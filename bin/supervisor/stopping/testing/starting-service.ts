import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@/lib/core/ports';
import { childEnvironment, VARIABLE_NAMES } from '@/lib/env';
import { waitUntil } from '@/lib/testing/wait-for';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** A `pharos start` that may not be ready yet. */
export type StartingService = {
  pid: number;
  /** Its output so far. */
  output(): string;
  /** Resolves when its output matches; throws if it does not, or if it ends first. */
  reaches(text: RegExp): Promise<void>;
  /** Resolves when it has ended, to its exit code or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals | null>;
};

/** Runs `pharos start` in an installation, by default this one, with a data directory. `env` are further settings. */
export async function beginService(
  dataDir: string,
  {
    directory = root,
    env = {},
    uid,
  }: { directory?: string; env?: Record<string, string>; uid?: number } = {},
): Promise<StartingService> {
  const unset = Object.fromEntries(VARIABLE_NAMES.map((name) => [name, '']));
  const own = { HOST: '127.0.0.1', PORT: String(await findFreePort()), DATA_DIR: dataDir };
  const child: ChildProcess = spawn(process.execPath, [join(directory, 'bin', 'pharos.mjs'), 'start'], {
    cwd: directory,
    env: childEnvironment({ ...unset, ...own, ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid !== undefined && { uid, gid: uid }),
  });
  const killAtExit = () => child.kill('SIGKILL');
  process.once('exit', killAtExit);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  const ended = once(child, 'close').then(([code, signal]) => {
    process.off('exit', killAtExit);
    return code ?? signal;
  });
  return {
    pid: child.pid ?? 0,
    output: () => output,
    ended,
    reaches: async (text) => {
      const matches = waitUntil(() => text.test(output), { interval: 5 });
      await Promise.race([
        matches,
        ended.then(() => {
          if (!text.test(output)) throw new Error(`it ended before ${text}:\n${output}`);
        }),
      ]);
    },
  };
}
