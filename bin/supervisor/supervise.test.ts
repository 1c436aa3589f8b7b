import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import { supervise } from './supervise';

/** Several times longer than a process needs to respond on a busy machine. */
const SILENT_MS = 6000;
const IDLE = 'setInterval(() => undefined, 1000);';
const root = fileURLToPath(new URL('../..', import.meta.url));
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pharos-supervise-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Builds a program that runs `work`, then announces that it is ready, like the web process and the worker. */
async function writeProgram(name: string, work: string): Promise<string> {
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
async function start(program: string) {
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

describe('a process that is', () => {
  it.each([
    ['stopped (SIGSTOP)', IDLE, (pid: number) => process.kill(pid, 'SIGSTOP')],
    [
      'caught in an endless loop',
      `process.on('SIGUSR2', () => { for (;;); }); ${IDLE}`,
      (pid: number) => process.kill(pid, 'SIGUSR2'),
    ],
  ])('%s is killed and restarted, and the log shows why', async (name, work, freeze) => {
    const { lines, pid } = await start(await writeProgram(name.slice(0, 6), work));
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
  });

  it('busy for less than that is left alone', async () => {
    const work = `setTimeout(() => { const end = Date.now() + ${SILENT_MS / 3}; while (Date.now() < end); }, 500);
      ${IDLE}`;
    const { lines, pid } = await start(await writeProgram('busy', work));
    const before = pid();
    await new Promise((resolve) => setTimeout(resolve, SILENT_MS + 1500));
    expect(pid()).toBe(before);
    expect(lines).toEqual([]);
  });
});
