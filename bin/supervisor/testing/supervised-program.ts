import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, onTestFinished } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import { supervise } from '../supervise';

/** Several times longer than a process needs to respond on a busy machine. */
export const SILENT_MS = 6000;
export const IDLE = 'setInterval(() => undefined, 1000);';
const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Builds a program that runs `work`, then announces that it is ready, like the web process and the worker. */
export async function writeProgram(name: string, work: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pharos-supervise-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const outfile = join(folder, `${name}.mjs`);
  await build({
    stdin: {
      contents: `
        import { announceReady } from './bin/cli/child-process';
        import { writeFileSync } from 'node:fs';
        writeFileSync(process.env.PID_FILE, String(process.pid));
        ${work}
        announceReady();`,
      resolveDir: root,
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
  });
  return outfile;
}

/** Supervises the program; `lines` collects its log lines with their fields. */
export async function startSupervised(program: string) {
  const lines: Record<string, unknown>[] = [];
  const pidFile = `${program}.pid`;
  const log = createLogger('silent', 'test');
  log.error = (fields: object, message?: string) => void lines.push({ ...fields, message });
  log.info = log.error;
  const environment = { PID_FILE: pidFile };
  const supervised = supervise(['worker'], { environment, log, program, silentMs: SILENT_MS });
  onTestFinished(supervised.stop);
  await supervised.ready;
  return { lines, pid: () => Number(readFileSync(pidFile, 'utf8')) };
}

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Expects that a process which runs `work` and is then frozen by `freeze` is killed and restarted, with the reason in the log. */
export async function expectToRestart(
  name: string,
  work: string,
  freeze: (pid: number) => void,
): Promise<void> {
  const { lines, pid } = await startSupervised(await writeProgram(name.slice(0, 6), work));
  const frozen = pid();
  freeze(frozen);
  await expect.poll(pid).not.toBe(frozen);
  expect(isRunning(frozen)).toBe(false);
  expect(lines).toContainEqual(
    expect.objectContaining({
      process: 'worker',
      childPid: frozen,
      message: 'a process does not respond; killing and restarting it',
    }),
  );
  await expect.poll(() => lines.map(({ message }) => message)).toContain('a process is ready again');
}
