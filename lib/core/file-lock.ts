import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import koffi from 'koffi';
import { formatTiming } from './time/duration';

/** A held lock. The kernel releases it when this process ends for any reason. */
export type FileLock = {
  path: string;
  /** Releases the lock. Idempotent. The file itself stays. */
  release(): void;
};

const LOCK_SH = 1;
const LOCK_EX = 2;
const LOCK_NB = 4;
const POLL_MS = 100;

type Flock = (fd: number, operation: number) => number;
let flock: Flock | undefined;

// Loaded on first use, so that importing this file never fails where there is no flock(2).
function loadFlock(): Flock {
  flock ??= koffi.load(null).func('int flock(int fd, int operation)') as Flock;
  return flock;
}

function tryLock(path: string, fd: number, operation = LOCK_EX): boolean {
  const call = loadFlock();
  for (;;) {
    if (call(fd, operation | LOCK_NB) === 0) return true;
    const errno = koffi.errno();
    if (errno === constants.errno.EWOULDBLOCK) return false;
    if (errno !== constants.errno.EINTR) throw new Error(`flock of ${path} failed with errno ${errno}`);
  }
}

/**
 * Acquires the exclusive lock on `path`, creating the file if it is missing; null if another process or this one holds it. Child
 * processes do not inherit the lock. Throws if the file cannot be opened for writing.
 */
export function acquireFileLock(path: string): FileLock | null {
  // Node opens files close-on-exec; append mode does not truncate the PID of the current holder.
  const fd = openSync(path, 'a+', 0o600);
  try {
    if (!tryLock(path, fd)) {
      closeSync(fd);
      return null;
    }
    ftruncateSync(fd);
    writeSync(fd, `${process.pid}\n`);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  let held = true;
  return {
    path,
    release: () => {
      if (!held) return;
      held = false;
      // Never unlinked: a process may already have the old file open, and then two would hold the lock.
      ftruncateSync(fd);
      closeSync(fd);
    },
  };
}

/**
 * Acquires a lock on the existing file at `path` that any number of processes can share, and that excludes `acquireFileLock`; null if that
 * holds it. Only reads, so that it succeeds for users who may not write. Throws if the file cannot be opened.
 */
export function acquireSharedFileLock(path: string): FileLock | null {
  const fd = openSync(path, 'r');
  let held = false;
  try {
    held = tryLock(path, fd, LOCK_SH);
  } finally {
    if (!held) closeSync(fd);
  }
  if (!held) return null;
  return {
    path,
    release: () => {
      if (held) closeSync(fd);
      held = false;
    },
  };
}

/** The PID written by the holder of the lock, or null if there is none. For messages only. */
export function readLockHolder(path: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(path, 'utf8'), 10);
    return Number.isSafeInteger(pid) && pid > 0 ? pid : null;
  } catch {
    return null;
  }
}

/**
 * Waits for the lock on `path`, polling every 100 ms; if it has to wait, calls `onWait` once with the holder's PID. For short
 * operations. Throws like `acquireFileLock`, and after `patienceMs`.
 */
export async function waitForFileLock(
  path: string,
  options: { onWait?: (holder: number | null) => void; patienceMs?: number } = {},
): Promise<FileLock> {
  const { patienceMs = 60_000 } = options;
  const giveUpAt = performance.now() + patienceMs;
  let lock = acquireFileLock(path);
  if (!lock) options.onWait?.(readLockHolder(path));
  while (!lock) {
    if (performance.now() > giveUpAt) {
      const holder = readLockHolder(path) ?? 'unknown';
      throw new Error(
        `${path} is still locked by another process (pid ${holder}) after ${formatTiming(patienceMs)}`,
      );
    }
    await sleep(POLL_MS);
    lock = acquireFileLock(path);
  }
  return lock;
}
