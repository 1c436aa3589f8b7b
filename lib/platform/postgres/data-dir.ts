import { randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { StartupError } from '@/lib/core/errors';
import { acquireFileLock, type FileLock, readLockHolder } from '@/lib/core/file-lock';

const REASONS: Record<string, string> = {
  EACCES: 'permission denied; let this user write there',
  EPERM: 'permission denied; let this user write there',
  EROFS: 'the file system is read-only; mount it for writing',
  ENOSPC: 'the disk is full; free some space',
  EDQUOT: 'the disk quota is used up; free some space',
  EEXIST: 'it is not a directory; move it away',
  ENOTDIR: 'a part of its path is not a directory; move that away',
};

function refuseDataDir(dataDir: string, error: unknown): StartupError {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const reason = REASONS[code] ?? message;
  return new StartupError(`DATA_DIR ${dataDir} cannot be written: ${reason}, or set DATA_DIR elsewhere`, {
    cause: error,
  });
}

/**
 * Makes DATA_DIR (mode 0700) where it is missing and writes a file into it to be sure. Returns its absolute path. Throws
 * StartupError, in one line that says what to do, when it cannot be written.
 */
export async function ensureDataDir(dataDir: string): Promise<string> {
  const directory = resolve(dataDir);
  const probe = join(directory, `.write-test-${randomBytes(6).toString('hex')}`);
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await writeFile(probe, 'x', { flag: 'wx', mode: 0o600 });
    await rm(probe);
  } catch (error) {
    throw refuseDataDir(directory, error);
  }
  return directory;
}

/**
 * Takes DATA_DIR for this process until it ends or releases it. Throws StartupError, naming the other's pid, when another
 * Pharos uses it.
 */
export function lockDataDir(dataDir: string): FileLock {
  const path = join(resolve(dataDir), 'pharos.lock');
  let lock: FileLock | null;
  try {
    lock = acquireFileLock(path);
  } catch (error) {
    throw refuseDataDir(resolve(dataDir), error);
  }
  if (lock) return lock;
  const holder = readLockHolder(path) ?? 'unknown';
  throw new StartupError(
    `another Pharos (pid ${holder}) is using DATA_DIR ${resolve(dataDir)}; stop it or set DATA_DIR`,
  );
}
