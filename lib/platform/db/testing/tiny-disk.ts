import { spawnSync } from 'node:child_process';
import { chown, mkdir, mkdtemp, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A small file system in memory. */
export type TinyDisk = {
  /** An empty directory that belongs to the user. */
  directory: string;
  /** Occupies all that is free. */
  fill(): Promise<void>;
  /** Frees what `fill` occupied. */
  free(): Promise<void>;
  unmount(): Promise<void>;
};

/** Mounts one for a user. Null where this process may not. */
export async function mountTinyDisk({
  megabytes,
  uid,
  gid,
}: {
  megabytes: number;
  uid: number;
  gid: number;
}) {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null;
  const mountPoint = await mkdtemp(join(tmpdir(), 'pharos-tiny-disk-'));
  const options = `size=${megabytes}m,mode=755`;
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', mountPoint]).status !== 0) {
    await rmdir(mountPoint);
    return null;
  }
  const directory = join(mountPoint, 'data');
  const ballast = join(mountPoint, 'ballast');
  await mkdir(directory, { mode: 0o700 });
  await chown(directory, uid, gid);
  const disk: TinyDisk = {
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
  return disk;
}
