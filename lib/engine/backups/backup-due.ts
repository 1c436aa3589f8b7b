/** What became of scheduled backups: null, if that has not happened yet. */
export type BackupHistory = { startedAt: Date | null; succeededAt: Date | null };

const DAY_MS = 86_400_000;
/** When the day of backups begins, in UTC. */
const DAY_START_MS = 2 * 3_600_000;
/** A failed backup, or one whose process crashed, is repeated after this time. */
const RETRY_MS = 15 * 60_000;

/** Whether a scheduled backup should be made: the first at once, then one after 02:00 UTC each day, however long none ran. */
export function isBackupDue({ startedAt, succeededAt }: BackupHistory, now: Date): boolean {
  const time = now.getTime();
  const dayStart = Math.floor((time - DAY_START_MS) / DAY_MS) * DAY_MS + DAY_START_MS;
  if (succeededAt !== null && succeededAt.getTime() >= dayStart) return false;
  return startedAt === null || startedAt.getTime() <= time - RETRY_MS;
}
