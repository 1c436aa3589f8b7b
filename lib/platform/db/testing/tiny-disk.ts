import { spawnSync } from 'node:child_process';
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
  unmount(): Promise<void>;
};

/** Mounts one. Null where this process may not. */
export async function mountTinyDisk(megabytes: number): Promise<TinyDisk | null> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null;
  const mountPoint = await mkdtemp(join(tmpdir(), 'pharos-tiny-disk-'));
  const options = ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`];
  if (spawnSync('mount', [...options, 'tmpfs', mountPoint]).status !== 0) {
    await rmdir(mountPoint);
    return null;
  }
  await chmod(mountPoint, 0o755);
  const directory = join(mountPoint, 'data');
  const ballast = join(mountPoint, 'ballast');
  await mkdir(directory, { mode: 0o755 });
  return {
    directory,
    fill: async () => {
      const error: unknown = await writeFile(ballast, Buffer.alloc(megabytes << 20)).catch(
        (thrown) => thrown,
      );
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
    },
    free: () => rm(ballast),
    unmount: async () => {
      spawnSync('umount', ['--lazy', mountPoint]);
      await rmdir(mountPoint);
    },
  };
}
