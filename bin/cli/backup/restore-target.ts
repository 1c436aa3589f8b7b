import { z } from 'zod';
import { StartupError } from '@/lib/core/errors';
import { createKeyring } from '@/lib/core/keyring';
import { hasSecretKeys } from '@/lib/domain/context/services';
import type { Environment } from '@/lib/env';
import type { Sections } from '@/lib/platform/backup/archive/read-sections';
import type { BackupEnd, BackupKeys, Manifest } from '@/lib/platform/backup/archive/records';
import { recreateDatabase, requireUnused } from '@/lib/platform/backup/restore/empty-target';
import {
  type RestoreOptions,
  requireKnownVersion,
  restoreBackup,
} from '@/lib/platform/backup/restore/restore-backup';
import { adoptSecretKeys } from '@/lib/platform/postgres';
import { openStopped } from '../open-database';
import { migrationsPath } from '../paths';

/** The keys of the old installation, from the backup or a file; null: not given. */
export type GivenKeys = BackupKeys | null;

type RestoreInto = (
  sections: Sections,
  options: Pick<RestoreOptions, 'onProgress' | 'readRemainder'>,
) => Promise<BackupEnd>;
type Wanted = { manifest: Manifest; keys: GivenKeys };

/**
 * Prepares the database of the environment for a backup, and calls `work` with a function that restores into it. Throws StartupError,
 * before it changes anything, if the database is in use, or if the key of the backup is missing.
 */
export async function withTarget<T>(
  environment: Environment,
  wanted: Wanted,
  work: (restoreInto: RestoreInto) => Promise<T>,
): Promise<T> {
  await requireKnownVersion(wanted.manifest, migrationsPath);
  const { DATABASE_URL } = environment;
  return DATABASE_URL === undefined
    ? withEmbeddedTarget(environment, wanted, work)
    : withOwnTarget(environment, wanted, work);
}

async function withOwnTarget<T>(
  {
    DATABASE_URL,
    DATABASE_DIRECT_URL: url = DATABASE_URL ?? '',
    SECRET_KEY = '',
    PREVIOUS_SECRET_KEYS,
  }: Environment,
  { manifest }: Wanted,
  work: (restoreInto: RestoreInto) => Promise<T>,
): Promise<T> {
  requireKeys(manifest, { SECRET_KEY, PREVIOUS_SECRET_KEYS });
  await requireUnused(url);
  return work(intoDatabase(url));
}

/** Also adopts the keys, unless SECRET_KEY is set: nothing that a database without data has sealed is lost. */
async function withEmbeddedTarget<T>(
  environment: Environment,
  { manifest, keys }: Wanted,
  work: (restoreInto: RestoreInto) => Promise<T>,
): Promise<T> {
  const target = await openStopped(environment);
  try {
    const isAdopted = keys !== null && environment.SECRET_KEY === undefined;
    requireKeys(manifest, isAdopted ? keys : target.keys);
    const { directUrl: url } = target;
    // An installation that nobody has set up may be of a newer version than the backup.
    if ((await requireUnused(url)) === 'not set up') await recreateDatabase(url);
    if (isAdopted) {
      const { SECRET_KEY: secretKey, PREVIOUS_SECRET_KEYS: previousSecretKeys } = keys;
      await adoptSecretKeys(target.dataDir, { secretKey, previousSecretKeys });
    }
    return await work(intoDatabase(url));
  } finally {
    await target.close();
  }
}

function intoDatabase(url: string): RestoreInto {
  const report = (line: string) => process.stderr.write(`${line}\n`);
  return (sections, options) =>
    restoreBackup(sections, { ...options, url, directory: migrationsPath, report });
}

/** Throws StartupError if a secret of the backup was sealed with another key. */
function requireKeys({ keyChecks }: Manifest, { SECRET_KEY, PREVIOUS_SECRET_KEYS }: BackupKeys): void {
  if (hasSecretKeys(createKeyring(SECRET_KEY, PREVIOUS_SECRET_KEYS), keyChecks)) return;
  throw new StartupError(
    'the backup was made with another secret key: set SECRET_KEY (and PREVIOUS_SECRET_KEYS) to those of the old installation, or name the secrets.json of its DATA_DIR with --secrets',
  );
}

const secretsSchema = z.looseObject({
  secretKey: z.string().min(1),
  previousSecretKeys: z.array(z.string()).default([]),
});

/** The keys in the secrets.json of a DATA_DIR. Throws StartupError if it is none. */
export function parseSecretsFile(path: string, text: string): BackupKeys {
  try {
    const { secretKey, previousSecretKeys } = secretsSchema.parse(JSON.parse(text));
    return { SECRET_KEY: secretKey, PREVIOUS_SECRET_KEYS: previousSecretKeys };
  } catch (error) {
    throw new StartupError(`--secrets: ${path} is not the secrets.json of a DATA_DIR`, { cause: error });
  }
}
