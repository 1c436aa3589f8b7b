import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Room for PostgreSQL, its log of an hour, and no more than a machine can spare. */
const SIZE = '1g';

/** Mounts a disk of limited size, in memory. Null without permission to mount. */
export function mountDisk(directory: string): string | null {
  mkdirSync(directory);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=755`, 'pharos-faults', directory], {
      stdio: 'ignore',
    });
  } catch {
    return null;
  }
  // Before the playground is deleted, which a mounted disk in it would prevent.
  process.prependOnceListener('exit', () => unmount(directory));
  return directory;
}

/** Does nothing if it is not mounted. */
export function unmount(directory: string): void {
  try {
    execFileSync('umount', ['--lazy', directory], { stdio: 'ignore' });
  } catch {
    // It is unmounted at the end of a run, and again when this process ends.
  }
}

/** Fills a disk to its last byte. Returns what frees it again. */
export function fillDisk(directory: string): () => void {
  const file = join(directory, 'ballast');
  const block = Buffer.alloc(1024 * 1024);
  rmSync(file, { force: true });
  const { bavail, bsize } = statfsSync(directory);
  for (let written = 0; written < bavail * bsize; written += block.length) {
    try {
      writeFileSync(file, block, { flag: 'a' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') break;
      throw error;
    }
  }
  return () => rmSync(file, { force: true });
}
