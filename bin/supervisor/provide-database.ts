import { setTimeout as delay } from 'node:timers/promises';
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
 * exits unexpectedly is restarted on the same port. Throws StartupError.
 */
export async function provideDatabase(environment: Environment, log: Logger): Promise<ProvidedDatabase> {
  const { DATABASE_URL, SECRET_KEY, PREVIOUS_SECRET_KEYS, DATA_DIR } = environment;
  if (DATABASE_URL !== undefined && SECRET_KEY !== undefined) {
    return { url: DATABASE_URL, keys: { SECRET_KEY, PREVIOUS_SECRET_KEYS }, stop: async () => undefined };
  }
  const dataDir = await ensureDataDir(DATA_DIR);
  const keys = chooseSecretKeys(environment, await readOrCreateSecrets(dataDir));
  const postgres = await keepRunning(dataDir, log);
  return { url: postgres.url, keys, stop: postgres.stop };
}

async function keepRunning(dataDir: string, log: Logger): Promise<{ url: string; stop(): Promise<void> }> {
  const logLine = (line: string) => log.info(line);
  let current: EmbeddedPostgres = await startEmbeddedPostgres({ dataDir, log: logLine });
  const port = Number(new URL(current.url).port);
  let stopping = false;

  const watch = async (): Promise<void> => {
    while (!stopping) {
      const { code, signal } = await current.exited;
      if (stopping) return;
      log.error({ code, signal }, 'PostgreSQL exited unexpectedly; restarting it');
      await restart();
    }
  };
  const restart = async (): Promise<void> => {
    while (!stopping) {
      try {
        current = await startEmbeddedPostgres({ dataDir, log: logLine, findPort: async () => port });
        return;
      } catch (error) {
        log.error({ err: error }, 'PostgreSQL could not be started; retrying');
        await delay(RESTART_MS);
      }
    }
  };
  void watch();
  return {
    url: current.url,
    stop: async () => {
      stopping = true;
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
