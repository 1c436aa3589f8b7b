import { StartupError } from '@/lib/core/errors';
import type { Environment } from '@/lib/env';
import type { BackupEnd, BackupKeys } from '@/lib/platform/backup/archive/records';
import { readHistory, readRemainder, readStopped } from '@/lib/platform/backup/move/read-stages';
import type { BackupProgress } from '@/lib/platform/backup/snapshot/read-snapshot';
import { version } from '@/package.json';
import { abortOnSignal } from './backup';
import { createProgressLine } from './progress';
import { withTarget } from './restore-target';

/** A database to copy, of a stopped service. `url` leads to it without a pooler. */
export type CopySource = { url: string; keys: BackupKeys; close(): Promise<void> };

/** A database to copy while its service runs. */
export type RunningSource = {
  url: string;
  keys: BackupKeys;
  /** Waits until the service is stopped, and opens its database again. `stoppedAt` is as of `performance.now()`. */
  untilStopped(waiting: Waiting): Promise<Pick<CopySource, 'url' | 'close'> & { stoppedAt: number }>;
};

/** A wait ends early at the signal, and with what `stayConnected` throws: it must be called regularly. */
export type Waiting = { signal: AbortSignal; stayConnected: () => Promise<void> };

/**
 * Copies one snapshot into the database of an environment, and compares every table. Closes the source. Throws StartupError if a process
 * of Pharos was connected to it at the end: it may have written.
 */
export async function copyDatabase(
  { url, keys, close }: CopySource,
  readTarget: () => Environment,
): Promise<BackupEnd> {
  try {
    return await withProgress(async ({ signal, onProgress }) => {
      const target = readTarget();
      const sections = await readStopped(url, { version, now: new Date(), keys, signal });
      return withTarget(target, { manifest: sections.manifest, keys }, (restoreInto) =>
        restoreInto(sections, { onProgress }),
      );
    });
  } finally {
    await close();
  }
}

/**
 * The same for a running service: copies its history, has somebody stop it, and copies the rest. Resolves also to the time since it
 * was stopped. The target is filled in one transaction, so it stays empty if anything fails.
 */
export async function copyRunningDatabase(
  { url, keys, untilStopped }: RunningSource,
  readTarget: () => Environment,
): Promise<{ end: BackupEnd; stoppedMs: number }> {
  let closeSource = async () => {};
  let stoppedAt = 0;
  try {
    const end = await withProgress(async ({ signal, onProgress, pause }) => {
      const options = { version, now: new Date(), keys, signal };
      const target = readTarget();
      const { sections, horizon } = await readHistory(url, options);
      return withTarget(target, { manifest: sections.manifest, keys }, (restoreInto) =>
        restoreInto(sections, {
          onProgress,
          readRemainder: async (copied, stayConnected) => {
            pause();
            const stopped = await untilStopped({ signal, stayConnected });
            ({ close: closeSource, stoppedAt } = stopped);
            return readRemainder(stopped.url, { horizon, copied }, options);
          },
        }),
      );
    });
    return { end, stoppedMs: performance.now() - stoppedAt };
  } finally {
    await closeSource();
  }
}

type Controls = {
  signal: AbortSignal;
  onProgress: (step: 'load' | 'check', progress: BackupProgress) => void;
  /** Removes the line of progress until there is some again. */
  pause: () => void;
};

/** Runs work that shows progress and ends at Ctrl-C or SIGTERM. */
async function withProgress<T>(work: (controls: Controls) => Promise<T>): Promise<T> {
  const line = createProgressLine();
  const signal = abortOnSignal();
  const onProgress = (step: 'load' | 'check', progress: BackupProgress) => {
    signal.throwIfAborted();
    line.show(step === 'load' ? 'moving' : 'comparing', progress);
  };
  try {
    return await work({ signal, onProgress, pause: line.end });
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new StartupError('interrupted: nothing was moved', { cause: error });
  } finally {
    line.end();
  }
}
