import { stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { StartupError } from '@/lib/core/errors';
import { listMigrations } from '@/lib/platform/db/migrate';
import { writeArchive } from './archive/archive';
import type { BackupKeys, BackupRecord } from './archive/records';
import { writeNewFile } from './backup-file';
import { type BackupProgress, readSnapshot } from './snapshot/read-snapshot';

export type BackupSource = {
  /** The database, without a pooler. */
  url: string;
  keys: BackupKeys;
  /** Encrypts the backup, which then includes the keys; null: not. */
  passphrase: string | null;
  /** The version of Pharos. */
  version: string;
  now: Date;
  onProgress?: (progress: BackupProgress) => void;
  signal?: AbortSignal;
};

/** What a backup contains. */
export type BackupSummary = { tables: number; rows: number; encrypted: boolean };

/** Writes a backup to a stream, and ends it. Throws StartupError if there is nothing to back up. */
export async function writeBackup(
  destination: Writable,
  { url, keys, passphrase, version, now, onProgress, signal }: BackupSource,
): Promise<BackupSummary> {
  if ((await listMigrations(url)).length === 0) {
    throw new StartupError('the database is empty: there is nothing to back up');
  }
  const included = passphrase === null ? null : keys;
  const summary = { tables: 0, rows: 0, encrypted: passphrase !== null };
  const records = readSnapshot(url, { version, now, keys: included, onProgress, signal });
  await writeArchive(count(records, summary), destination, { passphrase, createdAt: now, version, signal });
  return summary;
}

/** Writes a backup to a new file, which appears once it is complete. Throws StartupError if it cannot be written. */
export async function writeBackupFile(
  path: string,
  source: BackupSource,
): Promise<BackupSummary & { file: string; bytes: number }> {
  let summary: BackupSummary = { tables: 0, rows: 0, encrypted: false };
  await writeNewFile(path, async (destination) => {
    summary = await writeBackup(destination, source);
  });
  return { file: path, bytes: (await stat(path)).size, ...summary };
}

async function* count(
  records: AsyncGenerator<BackupRecord>,
  summary: BackupSummary,
): AsyncGenerator<BackupRecord> {
  for await (const record of records) {
    if (record.kind === 'sum') {
      summary.tables += 1;
      summary.rows += record.value.rows;
    }
    yield record;
  }
}
