import { resolve } from 'node:path';
import type { Command } from 'commander';
import { StartupError } from '@/lib/core/errors';
import { type Environment, getEnvironment, parseEnvironment } from '@/lib/env';
import type { BackupEnd } from '@/lib/platform/backup/archive/records';
import { openStopped, printResult } from '../open-database';
import { copyDatabase } from './copy-database';

const EMBEDDED = 'embedded';

/** `pharos move`. */
export function registerMove(program: Command): void {
  program
    .command('move')
    .description(
      'Copy the database to another server, and compare every table: from the embedded database to your own PostgreSQL, or from DATABASE_URL to the embedded one of DATA_DIR. Stop the service first, and start it with the new settings afterwards; the old database stays as it is. Prints {tables, rows}.',
    )
    .requiredOption('--to <target>', `the URL of an empty database, or "${EMBEDDED}"`)
    .action(async ({ to }: { to: string }) => {
      const environment = getEnvironment();
      const end = await (to === EMBEDDED ? moveIn(environment) : moveOut(environment, to));
      const rows = end.tables.reduce((sum, table) => sum + table.rows, 0);
      process.stderr.write(`${explainNextStep(environment, to)}\n`);
      printResult({ tables: end.tables.length, rows });
    });
}

async function moveOut(environment: Environment, to: string): Promise<BackupEnd> {
  if (environment.DATABASE_URL !== undefined) {
    throw new StartupError(
      'DATABASE_URL is set, so the database is not the embedded one: remove the setting, or move with --to embedded',
    );
  }
  const { DATA_DIR, SECRET_KEY, PREVIOUS_SECRET_KEYS } = environment;
  const { directUrl: url, keys, close } = await openStopped({ DATA_DIR, SECRET_KEY, PREVIOUS_SECRET_KEYS });
  const settings = { ...keys, PREVIOUS_SECRET_KEYS: keys.PREVIOUS_SECRET_KEYS.join() };
  return copyDatabase({ url, keys, close }, () => parseEnvironment({ DATABASE_URL: to, ...settings }));
}

async function moveIn(environment: Environment): Promise<BackupEnd> {
  const {
    DATABASE_URL,
    DATABASE_DIRECT_URL: url = DATABASE_URL,
    SECRET_KEY,
    PREVIOUS_SECRET_KEYS,
  } = environment;
  if (url === undefined || SECRET_KEY === undefined) {
    throw new StartupError('DATABASE_URL must be set to the database that is moved into the embedded one');
  }
  const keys = { SECRET_KEY, PREVIOUS_SECRET_KEYS };
  // Without SECRET_KEY, the keys are stored in DATA_DIR.
  const embedded = { DATABASE_URL: undefined, DATABASE_DIRECT_URL: undefined, SECRET_KEY: undefined };
  return copyDatabase({ url, keys, close: async () => undefined }, () => ({ ...environment, ...embedded }));
}

function explainNextStep({ DATA_DIR }: Environment, to: string): string {
  if (to === EMBEDDED) {
    return `Moved to ${resolve(DATA_DIR)}. Remove DATABASE_URL and SECRET_KEY from the settings, then start the service.`;
  }
  return `Moved. Set DATABASE_URL to the new database and SECRET_KEY to the secretKey in ${resolve(DATA_DIR)}/secrets.json, then start the service.`;
}
