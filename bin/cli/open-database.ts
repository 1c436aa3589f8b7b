import { setTimeout as delay } from 'node:timers/promises';
import { formatCommand } from '@/lib/command-line';
import { StartupError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import { formatTiming } from '@/lib/core/time/duration';
import { checkSecretKey, createServices, type ProcessServices } from '@/lib/domain/context/services';
import { type Environment, getEnvironment } from '@/lib/env';
import { waitForDatabase } from '@/lib/platform/db/connections/wait-for-database';
import { reportLockWaits } from '@/lib/platform/db/locks/lock-waits';
import {
  ensureDataDir,
  findRunningPostgres,
  lockDataDir,
  readOrCreateSecrets,
  startEmbeddedPostgres,
} from '@/lib/platform/postgres';
import { chooseSecretKeys, type SecretKeys } from '../supervisor/provide-database';
import { automaticBackupDirectory, bringUpToDate } from './backup/before-migrations';
import { stopBeforeSignalEnds } from './child-process';

/** A migrated database and the keys to its encrypted data. `directUrl` leads to it without a pooler. */
export type OpenDatabase = { url: string; directUrl: string; keys: SecretKeys; close(): Promise<void> };

const PATIENCE_MS = 60_000;
const NOTICE_MS = 5000;
const RETRY_MS = 250;

/**
 * The database for a command: that of DATABASE_URL, otherwise the embedded one of the running service, otherwise the
 * embedded one, started while the command runs. Always migrated. With a log, waits for a database that is starting, and logs
 * that; without one, fails immediately. Throws StartupError.
 */
export async function openDatabase(environment: Environment, log?: Logger): Promise<OpenDatabase> {
  const opened = await connectDatabase(environment);
  const { directUrl: url, keys } = opened;
  const report = (line: string) => (log ? log.warn(line) : process.stderr.write(`${line}\n`));
  const directory = automaticBackupDirectory(environment);
  const bringUp = () => bringUpToDate({ url, directory, report }, { ...environment, ...keys });
  try {
    await (log ? waitForDatabase(bringUp, { url, log }) : bringUp());
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** The database for a command, as it is: not migrated, and not yet connected to if it is that of DATABASE_URL. */
export async function connectDatabase(environment: Environment): Promise<OpenDatabase> {
  const { DATABASE_URL, DATABASE_DIRECT_URL = DATABASE_URL, SECRET_KEY, PREVIOUS_SECRET_KEYS } = environment;
  if (DATABASE_URL === undefined || DATABASE_DIRECT_URL === undefined || SECRET_KEY === undefined) {
    return openEmbedded(environment);
  }
  return {
    url: DATABASE_URL,
    directUrl: DATABASE_DIRECT_URL,
    keys: { SECRET_KEY, PREVIOUS_SECRET_KEYS },
    close: async () => undefined,
  };
}

/** If the data directory is locked but its server is not running yet, the service is starting: waits for it. */
async function openEmbedded(environment: Environment): Promise<OpenDatabase> {
  const dataDir = await ensureDataDir(environment.DATA_DIR);
  const keys = chooseSecretKeys(environment, await readOrCreateSecrets(dataDir));
  const begunAt = performance.now();
  let isNoticed = false;
  for (;;) {
    const running = await findRunningPostgres(dataDir);
    if (running) return { url: running.url, directUrl: running.url, keys, close: async () => undefined };
    try {
      return await startTemporarily(dataDir, keys);
    } catch (error) {
      const waitedMs = performance.now() - begunAt;
      if (!(error instanceof StartupError) || waitedMs > PATIENCE_MS) throw error;
      if (waitedMs > NOTICE_MS && !isNoticed) {
        isNoticed = true;
        process.stderr.write(
          `waiting for the database, for up to ${formatTiming(PATIENCE_MS)}: ${error.message}\n`,
        );
      }
    }
    await delay(RETRY_MS);
  }
}

/** The embedded database of a stopped service, which nobody else can start before `close`. Throws StartupError if it runs. */
export async function openStopped(
  environment: Pick<Environment, 'DATA_DIR' | 'SECRET_KEY' | 'PREVIOUS_SECRET_KEYS'>,
): Promise<OpenDatabase & { dataDir: string }> {
  const dataDir = await ensureDataDir(environment.DATA_DIR);
  const keys = chooseSecretKeys(environment, await readOrCreateSecrets(dataDir));
  return { ...(await startTemporarily(dataDir, keys)), dataDir };
}

/** Started for this command only, so it also ends with it when a signal ends it. */
async function startTemporarily(dataDir: string, keys: SecretKeys): Promise<OpenDatabase> {
  const lock = lockDataDir(dataDir);
  const stopping = new AbortController();
  const log = (line: string) => void process.stderr.write(`${line}\n`);
  const starting = startEmbeddedPostgres({
    dataDir,
    log,
    signal: stopping.signal,
    upgradeCommand: formatCommand('upgrade-database'),
  });
  const letSignalsEnd = stopBeforeSignalEnds(async () => {
    stopping.abort();
    await (await starting).stop();
  });
  try {
    const postgres = await starting;
    const close = async () => {
      await postgres.stop();
      letSignalsEnd();
      lock.release();
    };
    return { url: postgres.url, directUrl: postgres.url, keys, close };
  } catch (error) {
    letSignalsEnd();
    lock.release();
    throw error;
  }
}

/** Runs the work of a command against the database, whether the service is running or stopped. */
export async function withServices<T>(
  work: (services: ProcessServices, environment: Environment) => Promise<T>,
): Promise<T> {
  const environment = getEnvironment();
  const { url, directUrl, keys, close } = await openDatabase(environment);
  const stopNotices = reportLockWaits(directUrl, (line) => process.stderr.write(`${line}\n`));
  const services = createServices({ ...environment, ...keys, DATABASE_URL: url }, 'pharos command');
  try {
    await services.clock.measure();
    await checkSecretKey(services);
    await services.mail.refresh();
    return await work(services, environment);
  } finally {
    await stopNotices();
    await services.db.$disconnect();
    await close();
  }
}

/** Prints the result of a command: one JSON object on stdout, nothing else. */
export function printResult(result: object): void {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

/** Separate web and worker processes need a shared database: the embedded one belongs to `pharos start`. */
export function requireSharedDatabase(environment: Environment): Environment {
  if (environment.DATABASE_URL !== undefined) return environment;
  throw new StartupError(
    `DATABASE_URL must be set to run web and worker separately; "${formatCommand('start')}" runs both with an embedded PostgreSQL`,
  );
}
