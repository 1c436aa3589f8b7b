import { resolve } from 'node:path';
import { readInngestServer } from '@/inngest/inngest-server';
import { StartupError } from '@/lib/core/errors';
import { createKeyring } from '@/lib/core/keyring';
import { type Environment, readVariable } from '@/lib/env';
import { findRunningPostgres, readSecrets } from '@/lib/platform/postgres';
import { chooseSecretKeys, type SecretKeys } from '../supervisor/provide-database';
import { type Finding, inspect, ok, warning, wrong } from './finding';
import { inspectDatabase } from './inspect-database';
import { inspectHealth } from './inspect-health';
import { inspectMachine } from './inspect-machine';
import { inspectMail } from './inspect-mail';
import { inspectNetwork } from './inspect-network';
import { inspectSettings } from './inspect-settings';

type Options = {
  /** Parses the settings; throws StartupError. */
  readEnvironment: () => Environment;
  version: string;
  /** The directory of the migrations. */
  migrations: string;
  /** Who gets a test email; null: nobody. */
  recipient: string | null;
};

/** Inspects this installation from this machine. Changes nothing, and starts nothing; never throws for what it finds. */
export async function examine({
  readEnvironment,
  version,
  migrations,
  recipient,
}: Options): Promise<Finding[]> {
  const versions = ok('version', `Pharos ${version}, Node.js ${process.versions.node}, ${process.platform}.`);
  const environment = readSettings(readEnvironment);
  if ('finding' in environment) return [versions, environment.finding];
  const inngest = readInngestServer(environment);
  const isEmbedded = environment.DATABASE_URL === undefined;
  const settings = { ...environment, trustedProxies: readVariable('TRUSTED_PROXIES') };
  const groups = await Promise.all([
    inspect('database', () => inspectService(environment, { migrations, hasInngest: inngest !== null })),
    inspect('machine', () =>
      inspectMachine({
        dataDir: isEmbedded ? resolve(environment.DATA_DIR) : null,
        checkConcurrency: environment.CHECK_CONCURRENCY,
      }),
    ),
    inspect('network', () => inspectNetwork(environment, inngest)),
    inspect('email', () => inspectMail(environment, recipient)),
  ]);
  return [versions, ...inspectSettings(settings), ...groups.flat()];
}

function readSettings(readEnvironment: Options['readEnvironment']): Environment | { finding: Finding } {
  try {
    return readEnvironment();
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    return { finding: wrong('settings', `${error.message}.`, 'Correct it in the environment or in .env.') };
  }
}

/** Inspects the database, and the service as the database shows it. */
async function inspectService(
  environment: Environment,
  { migrations, hasInngest }: { migrations: string; hasInngest: boolean },
): Promise<Finding[]> {
  const target = await findDatabase(environment);
  if (target === null) {
    const message = `No PostgreSQL is running in ${resolve(environment.DATA_DIR)}.`;
    const remedy = 'Start Pharos there, or set DATA_DIR or DATABASE_URL, then run pharos doctor again.';
    return [warning('database', message, remedy)];
  }
  const { url, keys } = target;
  const keyring = createKeyring(keys.SECRET_KEY, keys.PREVIOUS_SECRET_KEYS);
  const { findings, facts } = await inspectDatabase(url, { keyring, migrations });
  if (facts === null || findings.some(({ name, status }) => name === 'schema' && status !== 'ok'))
    return findings;
  const clock = { now: () => new Date(Date.now() + facts.clockAheadMs) };
  return [...findings, ...(await inspectHealth(url, { clock, hasInngest }))];
}

/** The database of the settings, without a pooler; null: an embedded one that is not running. */
async function findDatabase(environment: Environment): Promise<{ url: string; keys: SecretKeys } | null> {
  const { DATABASE_DIRECT_URL: url, SECRET_KEY, PREVIOUS_SECRET_KEYS, DATA_DIR } = environment;
  if (url !== undefined && SECRET_KEY !== undefined)
    return { url, keys: { SECRET_KEY, PREVIOUS_SECRET_KEYS } };
  const dataDir = resolve(DATA_DIR);
  const running = await findRunningPostgres(dataDir);
  const secrets = running && (await readSecrets(dataDir));
  return running && secrets && { url: running.url, keys: chooseSecretKeys(environment, secrets) };
}
