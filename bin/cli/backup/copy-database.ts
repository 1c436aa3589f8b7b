import { StartupError } from '@/lib/core/errors';
import type { Environment } from '@/lib/env';
import { readSections } from '@/lib/platform/backup/archive/read-sections';
import type { BackupEnd, BackupKeys, BackupRecord } from '@/lib/platform/backup/archive/records';
import { requireStopped } from '@/lib/platform/backup/restore/empty-target';
import { type BackupProgress, readSnapshot } from '@/lib/platform/backup/snapshot/read-snapshot';
import { version } from '@/package.json';
import { abortOnSignal } from './backup';
import { createProgressLine } from './progress';
import { withTarget } from './restore-target';

/** A database to copy, of a stopped service. `url` leads to it without a pooler. */
export type CopySource = { url: string; keys: BackupKeys; close(): Promise<void> };

/**
 * Copies one snapshot into the database of an environment, and compares every table. Closes the source. Throws StartupError if a process
 * of Pharos was connected to it at the end: it may have written.
 */
export async function copyDatabase(
  { url, keys, close }: CopySource,
  readTarget: () => Environment,
): Promise<BackupEnd> {
  const line = createProgressLine();
  const signal = abortOnSignal();
  try {
    const target = readTarget();
    await requireStopped(url);
    const records = readSnapshot(url, { version, now: new Date(), keys, signal });
    const sections = await readSections(untilStopped(records, url));
    const onProgress = (step: 'load' | 'check', progress: BackupProgress) => {
      if (signal.aborted) throw new StartupError('interrupted: nothing was moved');
      line.show(step === 'load' ? 'moving' : 'comparing', progress);
    };
    return await withTarget(target, { manifest: sections.manifest, keys }, (restoreInto) =>
      restoreInto(sections, { onProgress }),
    );
  } finally {
    line.end();
    await close();
  }
}

async function* untilStopped(
  records: AsyncGenerator<BackupRecord>,
  url: string,
): AsyncGenerator<BackupRecord> {
  for await (const record of records) {
    if (record.kind === 'end') await requireStopped(url);
    yield record;
  }
}
