import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Client } from 'pg';
import { z } from 'zod';
import { describeError, StartupError } from '@/lib/core/errors';
import { formatBytes } from '@/lib/core/text';
import type { Environment } from '@/lib/env';
import { deleteOldest } from '@/lib/platform/backup/backup-file';
import { readTargetState } from '@/lib/platform/backup/restore/empty-target';
import { withBackupConnection } from '@/lib/platform/backup/snapshot/connect';
import { writeBackupFile } from '@/lib/platform/backup/write-backup';
import { listMigrations, migrate, readPendingMigrations } from '@/lib/platform/db/migrate';
import { version } from '@/package.json';
import { migrationsPath } from '../paths';

const NAME = /^before-(?<stamp>\d{14})-.*\.backup$/;
/** Besides the first of an upgrade. */
const MAX_KEPT = 3;
/** How long the first backup of an upgrade stays once that has ended. */
const KEPT_AFTER_MS = 24 * 3_600_000;
const UPGRADES = 'upgrades.json';

const upgradesSchema = z.array(
  z.strictObject({
    /** The name of its first backup. */
    first: z.string(),
    /** How many migrations the database had then. */
    migrations: z.int(),
    /** When a start found that nothing is pending; null: not yet. */
    endedAt: z.iso.datetime().nullable(),
  }),
);
type Upgrades = z.infer<typeof upgradesSchema>;

/** The directory of these backups; null: the database is not embedded, and its operator backs it up. */
export function automaticBackupDirectory({
  DATABASE_URL,
  DATA_DIR,
}: Pick<Environment, 'DATABASE_URL' | 'DATA_DIR'>): string | null {
  return DATABASE_URL === undefined ? join(resolve(DATA_DIR), 'backups') : null;
}

export type BringUpOptions = {
  /** The database, without a pooler. */
  url: string;
  /** For backups; null: no backup is created. */
  directory: string | null;
  /** Called with a line while a lock is awaited. */
  report: (line: string) => void;
  /** Called with a line about the backup: `report` by default. */
  note?: (line: string) => void;
  /** Contains the migrations. */
  migrations?: string;
  now?: () => Date;
};

type Keys = Pick<
  Environment,
  'SECRET_KEY' | 'PREVIOUS_SECRET_KEYS' | 'BACKUP_PASSPHRASE' | 'BACKUP_BEFORE_MIGRATIONS'
>;

/**
 * Migrates the database at `url`, after backing it up. An upgrade that was interrupted is not backed up again, unless a version has served since the
 * last backup. Throws StartupError if the database cannot be backed up, since an upgrade could not be undone then, or cannot be migrated.
 */
export async function bringUpToDate(
  { migrations = migrationsPath, now = () => new Date(), ...options }: BringUpOptions,
  environment: Keys,
): Promise<void> {
  const { url, report, directory, note = report } = options;
  if (directory !== null && environment.BACKUP_BEFORE_MIGRATIONS === 'on') {
    await backUpBeforeMigrating({ url, note, directory, migrations, now: now() }, environment);
  }
  await migrate({ url, directory: migrations, report });
  if (directory !== null) await endUpgrade(directory, now());
}

type Backup = Required<Pick<BringUpOptions, 'url' | 'note' | 'migrations'>> & {
  directory: string;
  now: Date;
};

async function backUpBeforeMigrating(
  { url, directory, note, migrations, now }: Backup,
  environment: Keys,
): Promise<void> {
  const { SECRET_KEY = '', PREVIOUS_SECRET_KEYS } = environment;
  const { BACKUP_PASSPHRASE: passphrase = null } = environment;
  const applied = await listMigrations(url);
  const isPending = (client: Client) => readPendingMigrations(client, migrations);
  if (applied.length === 0 || (await withBackupConnection(url, isPending)).length === 0) return;
  if ((await readTargetState(url)) !== 'in use') return;
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const names = (await readdir(directory)).filter((name) => NAME.test(name)).toSorted();
    const upgrades = await readUpgrades(directory);
    const current = upgrades.find(({ first, endedAt }) => endedAt === null && names.includes(first));
    const last = names.at(-1);
    if (current && last !== undefined && isBefore(await readServed(url), last)) {
      note(`the upgrade was interrupted, and nothing has served since the backup ${last}: it continues`);
      return;
    }
    const state = current && applied.length > current.migrations ? 'begun' : 'untouched';
    const name = `before-${toStamp(now)}-${version}-${state}.backup`;
    const keys = { SECRET_KEY, PREVIOUS_SECRET_KEYS };
    const file = join(directory, name);
    const { bytes, rows } = await writeBackupFile(file, { url, keys, passphrase, version, now });
    note(`the database is about to be migrated: ${rows} rows backed up to ${file} (${formatBytes(bytes)})`);
    const added: Upgrades[number] = { first: name, migrations: applied.length, endedAt: null };
    const open: Upgrades = current
      ? upgrades
      : [...upgrades.filter(({ endedAt }) => endedAt !== null), added];
    const kept: Upgrades = open.filter(
      ({ endedAt }) => endedAt === null || now.getTime() - Date.parse(endedAt) < KEPT_AFTER_MS,
    );
    await writeUpgrades(directory, kept);
    const isFirst = new Set(kept.map(({ first }) => first));
    await deleteOldest(directory, { isOwn: (each) => NAME.test(each) && !isFirst.has(each), keep: MAX_KEPT });
  } catch (error) {
    throw new StartupError(
      `could not back up the database before its migration: ${describeError(error)}. Nothing was changed. Correct the cause, or make a backup and set BACKUP_BEFORE_MIGRATIONS=off, then start again`,
      { cause: error },
    );
  }
}

/** When a worker or web process of any version last served; null: never. */
async function readServed(url: string): Promise<Date | null> {
  const { rows } = await withBackupConnection(url, (client) =>
    client.query<{ at: Date | null }>(
      `SELECT greatest((SELECT max(served_at) FROM duties_presence), (SELECT max(served_at) FROM region_presence),
                       (SELECT max(received_until) FROM reception)) AS at`,
    ),
  );
  return rows[0]?.at ?? null;
}

function isBefore(served: Date | null, backup: string): boolean {
  return served === null || toStamp(served) <= (NAME.exec(backup)?.groups?.stamp ?? '');
}

/** To the second. */
function toStamp(moment: Date): string {
  return moment.toISOString().replaceAll(/\D/g, '').slice(0, 14);
}

async function endUpgrade(directory: string, now: Date): Promise<void> {
  const upgrades = await readUpgrades(directory);
  if (upgrades.every(({ endedAt }) => endedAt !== null)) return;
  await writeUpgrades(
    directory,
    upgrades.map((upgrade) => ({ ...upgrade, endedAt: upgrade.endedAt ?? now.toISOString() })),
  );
}

async function readUpgrades(directory: string): Promise<Upgrades> {
  const path = join(directory, UPGRADES);
  try {
    return upgradesSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw new StartupError(`cannot read ${path}: ${describeError(error)}. Remove it, then start again`, {
      cause: error,
    });
  }
}

async function writeUpgrades(directory: string, upgrades: Upgrades): Promise<void> {
  await writeFile(join(directory, UPGRADES), `${JSON.stringify(upgrades, null, 2)}\n`, { mode: 0o600 });
}
