import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import { checkSecretKey, createServices, type Services } from '@/lib/domain/context/services';
import { type Environment, getEnvironment } from '@/lib/env';
import { migrate } from '@/lib/platform/db/migrate';
import { waitForDatabase } from '@/lib/platform/db/wait-for-database';
import {
  ensureDataDir,
  findRunningPostgres,
  lockDataDir,
  readOrCreateSecrets,
  startEmbeddedPostgres,
} from '@/lib/platform/postgres';
import { chooseSecretKeys, type SecretKeys } from '../supervisor/provide-database';
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

/** Runs a command's work against the database, whether the service is running or not. */
export async function withServices<T>(
  work: (services: Services, environment: Environment) => Promise<T>,
): Promise<T> {
  const environment = getEnvironment();
  const { url, keys, close } = await openDatabase(environment);
  const services = createServices({ ...environment, ...keys, DATABASE_URL: url }, 'pharos command');
  try {
    await services.clock.measure();
    await checkSecretKey(services);
    return await work(services, environment);
  } finally {
    await services.db.$disconnect();
    await close();
  }
}

/** What a command answers: one JSON object on stdout, nothing else. */
export function printResult(result: object): void {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

/** Web and worker started apart share a database of their own: the embedded one belongs to `pharos start`. */
export function requireSharedDatabase(environment: Environment): Environment {
  if (environment.DATABASE_URL !== undefined) return environment;
  throw new StartupError(
    'DATABASE_URL must be set to run web and worker apart; "pharos start" runs both with an embedded PostgreSQL',
  );
}
