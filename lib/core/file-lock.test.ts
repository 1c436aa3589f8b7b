import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acquireFileLock, readLockHolder, waitForFileLock } from './file-lock';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs this module in a second process that acquires the lock, and resolves when it has. */
async function holdInSecondProcess(path: string) {
  const bundle = await build({
    stdin: {
      contents: `
        import { acquireFileLock } from './lib/core/file-lock';
        const lock = acquireFileLock(${JSON.stringify(path)});
        process.stdout.write(lock ? 'held' : 'refused');
        setInterval(() => {}, 1000);
      `,
      resolveDir: root,
      loader: 'ts',
    },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    external: ['koffi'],
  });
  const code = bundle.outputFiles[0]?.text ?? '';
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [reply] = await once(child.stdout, 'data');
  return { child, reply: String(reply) };
}

async function killHard(child: ReturnType<typeof spawn>) {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

describe('a file lock', () => {
  let directory: string;
  let path: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'file-lock-'));
    path = join(directory, 'lock');
  });

  afterEach(() => rm(directory, { recursive: true, force: true }));

  it('is held by one at a time, and can be acquired again after its release', () => {
    const first = acquireFileLock(path);
    expect(first).not.toBeNull();
    expect(acquireFileLock(path)).toBeNull();
    first?.release();
    const second = acquireFileLock(path);
    expect(second).not.toBeNull();
    second?.release();
  });

  it('names its holder only while it is held', () => {
    const lock = acquireFileLock(path);
    expect(readLockHolder(path)).toBe(process.pid);
    lock?.release();
    expect(readLockHolder(path)).toBeNull();
  });

  it('releases once: a second release keeps the next holder’s lock', () => {
    const first = acquireFileLock(path);
    first?.release();
    const second = acquireFileLock(path);
    first?.release();
    expect(acquireFileLock(path)).toBeNull();
    second?.release();
  });

  it('keeps another process out, and ends with that process even by kill -9', async () => {
    const { child, reply } = await holdInSecondProcess(path);
    expect(reply).toBe('held');
    expect(acquireFileLock(path)).toBeNull();
    expect(readLockHolder(path)).toBe(child.pid);
    await killHard(child);
    const lock = acquireFileLock(path);
    expect(lock).not.toBeNull();
    lock?.release();
  });

  it('is denied to a second process while this one holds it', async () => {
    const lock = acquireFileLock(path);
    const { child, reply } = await holdInSecondProcess(path);
    expect(reply).toBe('refused');
    await killHard(child);
    lock?.release();
  });

  it('is not inherited by children, which may outlive the holder', async () => {
    const lock = acquireFileLock(path);
    const child = spawn('sleep', ['60'], { stdio: 'ignore' });
    await once(child, 'spawn');
    lock?.release();
    const next = acquireFileLock(path);
    expect(next).not.toBeNull();
    next?.release();
    await killHard(child);
  });

  it('can be waited for, and reports its holder once', async () => {
    const first = acquireFileLock(path);
    const holders: (number | null)[] = [];
    const waiting = waitForFileLock(path, {
      onWait: (holder) => {
        holders.push(holder);
        first?.release();
      },
    });
    const second = await waiting;
    expect(holders).toEqual([process.pid]);
    expect(acquireFileLock(path)).toBeNull();
    second.release();
  });
});
