import { createWriteStream } from 'node:fs';
import { access, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { describeError, StartupError } from '@/lib/core/errors';

const BUFFER_BYTES = 1024 * 1024;
/** What the name of an incomplete file ends with. */
const PARTIAL = /\.\d+\.partial$/;

/**
 * Has `write` write a new file at `path`, with mode 0600. It has another name until it is complete and on the disk, and is removed
 * if `write` fails. Never replaces a file. Throws StartupError if the file cannot be written; rethrows what `write` throws.
 */
export async function writeNewFile(
  path: string,
  write: (destination: Writable) => Promise<void>,
): Promise<void> {
  if (
    await access(path).then(
      () => true,
      () => false,
    )
  ) {
    throw new StartupError(`${path} already exists: choose another name, or remove it`);
  }
  const temporary = `${path}.${process.pid}.partial`;
  try {
    await write(createWriteStream(temporary, { flags: 'wx', mode: 0o600, highWaterMark: BUFFER_BYTES }));
    await sync(temporary);
    await rename(temporary, path);
    await sync(dirname(path));
  } catch (error) {
    await rm(temporary, { force: true });
    throw isFileError(error) ? toStartupError(path, error) : error;
  }
}

/**
 * Deletes the backups that `isOwn` recognizes by their names, except the last `keep` in the order of names, and what killed
 * processes left of others. Other files are not touched. Returns how many complete backups were deleted.
 */
export async function deleteOldest(
  directory: string,
  { isOwn, keep }: { isOwn: (name: string) => boolean; keep: number },
): Promise<number> {
  const names = await readdir(directory);
  const old = names.filter(isOwn).toSorted().slice(0, -keep);
  const unfinished = names.filter((name) => PARTIAL.test(name) && isOwn(name.replace(PARTIAL, '')));
  for (const name of [...old, ...unfinished]) await rm(join(directory, name), { force: true });
  return old.length;
}

/** Makes a file, or the names in a directory, survive a power failure. */
async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const REASONS: Record<string, string> = {
  ENOSPC: 'the disk is full; free some space',
  EDQUOT: 'the disk quota is used up; free some space',
  EACCES: 'permission denied; let this user write there',
  EROFS: 'the file system is read-only',
  ENOENT: 'its directory does not exist; create it',
  ENOTDIR: 'a part of its path is not a directory',
};

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error && String(error.code) in REASONS;
}

function toStartupError(path: string, error: unknown): StartupError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return new StartupError(
    `the backup cannot be written to ${path}: ${REASONS[code] ?? describeError(error)}`,
    {
      cause: error,
    },
  );
}
