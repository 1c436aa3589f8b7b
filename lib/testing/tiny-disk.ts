import { spawnSync } from 'node:child_process';
import { rmdirSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A small file system in memory. */
export type TinyDisk = {
  /** Empty; every user can enter it. */
  directory: string;
  /** Occupies all that is free. */
  fill(): Promise<void>;
  /** Frees what `fill` occupied. */
  free(): Promise<void>;
  /** Also happens when this process ends. */
  unmount(): void;
};

const BLOCK = Buffer.alloc(1 << 20);

/** Mounts one. Null where this process may not. */
export async function mountTinyDisk(megabytes: number): Promise<TinyDisk | null> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null;
  const mountPoint = await mkdtemp(join(tmpdir(), 'pharos-tiny-disk-'));
  const options = ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`];
  if (spawnSync('mount', [...options, 'tmpfs', mountPoint]).status !== 0) {
    await rmdir(mountPoint);
    return null;
  }
  const unmount = () => {
    process.off('exit', unmount);
    spawnSync('umount', ['--lazy', mountPoint]);
    rmdirSync(mountPoint);
  };
  process.once('exit', unmount);
  await chmod(mountPoint, 0o755);
  const directory = join(mountPoint, 'data');
  const ballast = join(mountPoint, 'ballast');
  await mkdir(directory, { mode: 0o755 });
  return {
    directory,
    fill: async () => {
      for (let written = 0; written <= megabytes; written++) {
        const error: unknown = await writeFile(ballast, BLOCK, { flag: 'a' }).catch((thrown) => thrown);
        if (error === undefined) continue;
        if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return;
        throw error;
      }
    },
    free: () => rm(ballast, { force: true }),
    unmount,
  };
}
