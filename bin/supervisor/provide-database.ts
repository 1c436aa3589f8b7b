import { setTimeout as delay } from 'node:timers/promises';
import { formatCommand } from '@/lib/command-line';
import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import type { Environment } from '@/lib/env';
import {
  type EmbeddedPostgres,
  ensureDataDir,
  lockDataDir,
  readOrCreateSecrets,
  type Secrets,
  startEmbeddedPostgres,
} from '@/lib/platform/postgres';

/** The database of a running service. */
export type ProvidedDatabase = { url: string; keys: SecretKeys; stop(): Promise<void> };

const RESTART_MS = 1000;

/** Locks DATA_DIR if the database is embedded. Throws StartupError if another process holds it. */
export async function holdDataDir({ DATABASE_URL, DATA_DIR }: Environment): Promise<{ release(): void }> {
  if (DATABASE_URL !== undefined) return { release: () => undefined };
  return lockDataDir(await ensureDataDir(DATA_DIR));
}

/**
 * The database of DATABASE_URL, or the embedded one of a DATA_DIR that this process has locked. An embedded PostgreSQL that
 * ends for any reason is restarted on the same port until `stop`. Throws StartupError; at the signal, once nothing runs.
 */
export async function provideDatabase(
  environment: Environment,
  log: Logger,
  signal: AbortSignal,
): Promise<ProvidedDatabase> {
  const { DATABASE_URL, SECRET_KEY, PREVIOUS_SECRET_KEYS, DATA_DIR } = environment;
  if (DATABASE_URL !== undefined && SECRET_KEY !== undefined) {
    return { url: DATABASE_URL, keys: { SECRET_KEY, PREVIOUS_SECRET_KEYS }, stop: async () => undefined };
  }
  const dataDir = await ensureDataDir(DATA_DIR);
  const keys = chooseSecretKeys(environment, await readOrCreateSecrets(dataDir));
  const postgres = await keepRunning(dataDir, log, signal);
  return { url: postgres.url, keys, stop: postgres.stop };
}

async function keepRunning(
  dataDir: string,
  log: Logger,
  signal: AbortSignal,
): Promise<{ url: string; stop(): Promise<void> }> {
  const logLine = (line: string) => log.info(line);
  const stopping = new AbortController();
  const upgradeCommand = formatCommand('upgrade-database');
  const common = { dataDir, log: logLine, upgradeCommand };
  let current: EmbeddedPostgres = await startEmbeddedPostgres({ ...common, signal });
  const { url } = current;
  const port = Number(new URL(url).port);

  const restart = async (): Promise<void> => {
    const options = { ...common, findPort: async () => port, signal: stopping.signal };
    while (!stopping.signal.aborted) {
      try {
        current = await startEmbeddedPostgres(options);
        return;
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.error({ err: error }, 'PostgreSQL could not be started; retrying');
        await delay(RESTART_MS);
      }
    }
  };
  const watch = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const { code, signal: endedBy } = await current.exited;
      if (stopping.signal.aborted) return;
      // A signal to all processes ends it before those that still have to record something.
      // Somebody stopped it, or it says why it failed.
      const why = code === 0 ? {} : { error: describeError(new Error(await current.readFailure())) };
      log.error({ code, signal: endedBy, ...why }, 'PostgreSQL exited unexpectedly; restarting it');
      await restart();
    }
  };
  const watching = watch();
  return {
    url,
    stop: async () => {
      stopping.abort();
      await current.stop();
      await watching;
      // If it was just being restarted.
      await current.stop();
    },
  };
}

/** The keys of an installation, named like the settings of its processes. */
export type SecretKeys = { SECRET_KEY: string; PREVIOUS_SECRET_KEYS: string[] };

/** The keys from the environment, otherwise those in DATA_DIR. Previous keys from the environment always count. */
export function chooseSecretKeys(
  { SECRET_KEY, PREVIOUS_SECRET_KEYS }: Pick<Environment, 'SECRET_KEY' | 'PREVIOUS_SECRET_KEYS'>,
  stored: Secrets,
): SecretKeys {
  if (SECRET_KEY !== undefined) return { SECRET_KEY, PREVIOUS_SECRET_KEYS };
  const { secretKey, previousSecretKeys } = stored;
  return {
    SECRET_KEY: secretKey,
    PREVIOUS_SECRET_KEYS: [...previousSecretKeys, ...PREVIOUS_SECRET_KEYS],
  };
}
