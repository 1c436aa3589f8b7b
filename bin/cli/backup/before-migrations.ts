import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describeError, StartupError } from '@/lib/core/errors';
import type { Environment } from '@/lib/env';
import { deleteOldest } from '@/lib/platform/backup/backup-file';
import { readTargetState } from '@/lib/platform/backup/restore/empty-target';
import { writeBackupFile } from '@/lib/platform/backup/write-backup';
import { listMigrations } from '@/lib/platform/db/migrate';
import { readMigrations } from '@/lib/platform/db/migrations';
import { version } from '@/package.json';
import { migrationsPath } from '../paths';
import { formatBytes } from './progress';

const NAME = /^before-\d{14}-.*\.backup$/;
/** Each upgrade adds one. */
const MAX_KEPT = 3;

/** The directory of these backups; null: the database is not embedded, and its operator backs it up. */
export function automaticBackupDirectory({
  DATABASE_URL,
  DATA_DIR,
}: Pick<Environment, 'DATABASE_URL' | 'DATA_DIR'>): string | null {
  return DATABASE_URL === undefined ? join(resolve(DATA_DIR), 'backups') : null;
}

/**
 * Backs up the embedded database at `url` if this version is about to migrate it, and keeps the last three such backups. `directory`
 * null: does nothing. Throws StartupError if it cannot be backed up, since an upgrade could not be undone then.
 */
export async function backUpBeforeMigrating(
  { url, directory, report }: { url: string; directory: string | null; report: (line: string) => void },
  environment: Pick<
    Environment,
    'SECRET_KEY' | 'PREVIOUS_SECRET_KEYS' | 'BACKUP_PASSPHRASE' | 'BACKUP_BEFORE_MIGRATIONS'
  >,
): Promise<void> {
  const { SECRET_KEY = '', PREVIOUS_SECRET_KEYS, BACKUP_BEFORE_MIGRATIONS } = environment;
  const { BACKUP_PASSPHRASE: passphrase = null } = environment;
  if (directory === null || BACKUP_BEFORE_MIGRATIONS === 'off') return;
  const last = await findLastMigration(url);
  if (last === null || (await readTargetState(url)) !== 'in use') return;
  const now = new Date();
  const stamp = now.toISOString().replace(/\D/g, '').slice(0, 14);
  const file = join(directory, `before-${stamp}-${last}.backup`);
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const keys = { SECRET_KEY, PREVIOUS_SECRET_KEYS };
    const { bytes, rows } = await writeBackupFile(file, { url, keys, passphrase, version, now });
    report(`the database is about to be migrated: ${rows} rows backed up to ${file} (${formatBytes(bytes)})`);
    await deleteOldest(directory, { isOwn: (name) => NAME.test(name), keep: MAX_KEPT });
  } catch (error) {
    throw new StartupError(
      `could not back up the database before its migration: ${describeError(error)}. Nothing was changed. Correct the cause, or make a backup and set BACKUP_BEFORE_MIGRATIONS=off, then start again`,
      { cause: error },
    );
  }
}

/** The last migration that this version adds; null: none is pending. */
async function findLastMigration(url: string): Promise<string | null> {
  const applied = new Set(await listMigrations(url));
  const pending = (await readMigrations(migrationsPath)).filter(({ name }) => !applied.has(name));
  return applied.size === 0 ? null : (pending.at(-1)?.name ?? null);
}
