import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ensureDataDir, lockDataDir } from './data-dir';

describe('DATA_DIR', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'data-dir-'));
  });

  afterEach(() => rm(directory, { recursive: true, force: true }));

  it('is created with its parents, only for its owner, and left empty', async () => {
    const made = await ensureDataDir(join(directory, 'a', 'b'));
    expect(made).toBe(join(directory, 'a', 'b'));
    expect((await stat(made)).mode & 0o777).toBe(0o700);
    expect(await readdir(made)).toEqual([]);
    await ensureDataDir(made);
  });

  it('that cannot be written is rejected in one line with the reason and what to do', async () => {
    await writeFile(join(directory, 'file'), '');
    const path = join(directory, 'file', 'data');
    await expect(ensureDataDir(path)).rejects.toThrow(
      `DATA_DIR ${path} cannot be written: a part of its path is not a directory; move that away, or set DATA_DIR elsewhere`,
    );
  });

  it('is used by one Pharos at a time', () => {
    const lock = lockDataDir(directory);
    expect(() => lockDataDir(directory)).toThrow(
      `another Pharos (pid ${process.pid}) is using DATA_DIR ${directory}; stop it or set DATA_DIR`,
    );
    lock.release();
    lockDataDir(directory).release();
  });
});
