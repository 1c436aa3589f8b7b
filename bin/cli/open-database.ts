import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import type { Environment } from '@/lib/env';
import { migrate } from '@/lib/platform/db/migrate';
import { waitForDatabase } from '@/lib/platform/db/wait-for-database';
import {
  ensureDataDir,
  findRunningPostgres,
  lockDataDir,
  readOrCreateSecrets,
  startEmbeddedPostgres,
} from '@/lib/platform/postgres';
import { chooseSecretKeys, type SecretKeys } from '../supervisor/secret-keys';
import { migrationsPath } from './paths';

/** A migrated database and the keys to what is sealed in it. */
export type OpenDatabase = { url: string; keys: SecretKeys; close(): Promise<void> };

const PATIENCE_MS = 30_000;
const RETRY_MS = 250;

/** With a log, the command waits for a database that is starting up and logs that it does; without one it fails at once. */
type OpenOptions = { waitsWith?: Logger };

/**
 * The database for a command: the one of DATABASE_URL, else the embedded one of the running service, else the embedded
 * one started for as long as the command runs. Migrated in any case. Throws StartupError.
 */
export async function openDatabase(
  environment: Environment,
  { waitsWith: log }: OpenOptions = {},
): Promise<OpenDatabase> {
  const { DATABASE_URL, SECRET_KEY, PREVIOUS_SECRET_KEYS } = environment;
  const opened =
    DATABASE_URL !== undefined && SECRET_KEY !== undefined
      ? { url: DATABASE_URL, keys: { SECRET_KEY, PREVIOUS_SECRET_KEYS }, close: async () => undefined }
      : await openEmbedded(environment);
  const { url } = opened;
  const bringUp = () => migrate({ url, directory: migrationsPath });
  await (log ? waitForDatabase(bringUp, { url, log }) : bringUp());
  return opened;
}

/** Waits a while where the data directory is taken and its server not up yet: the service is just starting. */
async function openEmbedded(environment: Environment): Promise<OpenDatabase> {
  const dataDir = await ensureDataDir(environment.DATA_DIR);
  const keys = chooseSecretKeys(environment, await readOrCreateSecrets(dataDir));
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (;;) {
    const running = await findRunningPostgres(dataDir);
    if (running) return { url: running.url, keys, close: async () => undefined };
    try {
      return await startForNow(dataDir, keys);
    } catch (error) {
      if (!(error instanceof StartupError) || performance.now() > giveUpAt) throw error;
    }
    await delay(RETRY_MS);
  }
}

async function startForNow(dataDir: string, keys: SecretKeys): Promise<OpenDatabase> {
  const lock = lockDataDir(dataDir);
  try {
    const postgres = await startEmbeddedPostgres({
      dataDir,
      log: (line) => process.stderr.write(`${line}\n`),
    });
    const close = async () => {
      await postgres.stop();
      lock.release();
    };
    return { url: postgres.url, keys, close };
  } catch (error) {
    lock.release();
    throw error;
  }
}
