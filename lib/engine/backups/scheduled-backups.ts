import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import { poll } from '@/lib/core/time/poll';
import type { Services } from '@/lib/domain/context/services';
import type { BackupKeys } from '@/lib/platform/backup/archive/records';
import { deleteOldest } from '@/lib/platform/backup/backup-file';
import { withBackupConnection } from '@/lib/platform/backup/snapshot/connect';
import { writeBackupFile } from '@/lib/platform/backup/write-backup';
import { type BackupHistory, isBackupDue } from './backup-due';

/** Held by the process that makes a scheduled backup. */
const SCHEDULE_LOCK = 7274272;
const EVERY_MS = 60_000;
const FIRST_MS = 15_000;
const NAME = /^pharos-\d{8}T\d{6}Z\.backup$/;

export type BackupSchedule = {
  /** Where backups are written, and how many are kept. */
  directory: string;
  keep: number;
  /** The database, without a pooler. */
  url: string;
  keys: BackupKeys;
  passphrase: string | null;
  /** The version of Pharos. */
  version: string;
  log: Logger;
};

/** Looks every minute whether a backup is due. A running one is given up, and its file removed, when it stops. */
export function scheduleBackups(
  services: Pick<Services, 'db' | 'clock'>,
  schedule: BackupSchedule,
): { stop(): Promise<void> } {
  const onError = (error: unknown) =>
    schedule.log.error({ work: 'scheduled backups', err: error }, 'could not look whether a backup is due');
  const look = async (signal: AbortSignal) => {
    await backUpIfDue(services, schedule, signal);
  };
  return poll(look, { firstMs: FIRST_MS, everyMs: EVERY_MS, onError });
}

/**
 * Makes a backup if one is due and no other process makes it, then deletes the oldest beyond those to keep. Returns the new file;
 * null: none. A failure is logged and recorded, and deletes nothing.
 */
export async function backUpIfDue(
  services: Pick<Services, 'db' | 'clock'>,
  schedule: BackupSchedule,
  signal?: AbortSignal,
): Promise<string | null> {
  if (!isBackupDue(await readHistory(services), services.clock.now())) return null;
  return withBackupConnection(schedule.url, async (client) => {
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
      SCHEDULE_LOCK,
    ]);
    // Another process may have made it since.
    if (!rows[0]?.locked || !isBackupDue(await readHistory(services), services.clock.now())) return null;
    return backUp(services, schedule, signal);
  });
}

/** Also records that somebody watches: without that, health does not expect backups. */
async function readHistory({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<BackupHistory> {
  const watchedAt = clock.now();
  return db.scheduledBackup.upsert({
    where: { id: 1 },
    create: { id: 1, watchedAt },
    update: { watchedAt },
    select: { startedAt: true, succeededAt: true },
  });
}

async function backUp(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { directory, keep, log, ...source }: BackupSchedule,
  signal?: AbortSignal,
): Promise<string | null> {
  const startedAt = clock.now();
  const record = (data: { startedAt?: Date; succeededAt?: Date; failedAt?: Date | null }) =>
    db.scheduledBackup.update({ where: { id: 1 }, data });
  await record({ startedAt });
  const stamp = startedAt.toISOString().replace(/\.\d+|[-:]/g, '');
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const path = join(directory, `pharos-${stamp}.backup`);
    const { bytes, rows, encrypted } = await writeBackupFile(path, { ...source, now: startedAt, signal });
    await record({ succeededAt: clock.now(), failedAt: null });
    const deleted = await deleteOldest(directory, { isOwn: (name) => NAME.test(name), keep });
    log.info({ file: path, bytes, rows, encrypted, deleted }, 'scheduled backup written');
    return path;
  } catch (error) {
    // The worker stops: another one makes it, or this one after its restart.
    if (signal?.aborted) return null;
    log.error({ work: 'scheduled backups', err: error }, `scheduled backup failed: ${describeError(error)}`);
    await record({ failedAt: clock.now() });
    return null;
  }
}
