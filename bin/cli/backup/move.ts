import { resolve } from 'node:path';
import type { Command } from 'commander';
import { StartupError } from '@/lib/core/errors';
import { formatTiming } from '@/lib/core/time/duration';
import { type Environment, getEnvironment, parseEnvironment } from '@/lib/env';
import type { BackupEnd, BackupKeys } from '@/lib/platform/backup/archive/records';
import { listProcesses } from '@/lib/platform/backup/restore/empty-target';
import { DataDirInUseError, findRunningPostgres, readOrCreateSecrets } from '@/lib/platform/postgres';
import { chooseSecretKeys } from '../../supervisor/provide-database';
import { openStopped, printResult } from '../open-database';
import { copyDatabase, copyRunningDatabase } from './copy-database';
import { waitUntilStopped } from './wait-until-stopped';

const EMBEDDED = 'embedded';

/** What was copied; if the service ran, also how long ago it was stopped. */
type Moved = { end: BackupEnd; stoppedMs?: number };

/** `pharos move`. */
export function registerMove(program: Command): void {
  program
    .command('move')
    .description(
      'Copy the database to another server, and compare every row: from the embedded database to your own PostgreSQL, or from DATABASE_URL to the embedded one of DATA_DIR. While the service runs, copies its history, then has you stop the service for the rest. Start it with the new settings afterwards; the old database stays as it is. Prints {tables, rows}, and stoppedSeconds if the service ran.',
    )
    .requiredOption('--to <target>', `the URL of an empty database, or "${EMBEDDED}"`)
    .action(async ({ to }: { to: string }) => {
      const environment = getEnvironment();
      const { end, stoppedMs } = await (to === EMBEDDED ? moveIn(environment) : moveOut(environment, to));
      const rows = end.tables.reduce((sum, table) => sum + table.rows, 0);
      report(`${explainNextStep(environment, to)}${explainStop(stoppedMs)}`);
      printResult({
        tables: new Set(end.tables.map(({ name }) => name)).size,
        rows,
        ...(stoppedMs === undefined ? {} : { stoppedSeconds: toSeconds(stoppedMs) }),
      });
    });
}

async function moveOut(environment: Environment, to: string): Promise<Moved> {
  if (environment.DATABASE_URL !== undefined) {
    throw new StartupError(
      'DATABASE_URL is set, so the database is not the embedded one: remove the setting, or move with --to embedded',
    );
  }
  const readTarget = ({ SECRET_KEY, PREVIOUS_SECRET_KEYS }: BackupKeys) =>
    parseEnvironment({
      DATABASE_URL: to,
      SECRET_KEY,
      PREVIOUS_SECRET_KEYS: PREVIOUS_SECRET_KEYS.join(),
    });
  const running = await findRunningPostgres(resolve(environment.DATA_DIR));
  if (running === null) {
    const source = await openStopped(environment);
    return { end: await copyDatabase(source, () => readTarget(source.keys)) };
  }
  const keys = chooseSecretKeys(environment, await readOrCreateSecrets(environment.DATA_DIR));
  reportBegin();
  const open = () =>
    openStopped(environment).catch((error: unknown) => {
      if (error instanceof DataDirInUseError) return null;
      throw error;
    });
  return copyRunningDatabase(
    {
      url: running.url,
      keys,
      untilStopped: (waiting) => {
        reportWait('in its terminal with Ctrl-C, or with "systemctl stop pharos"');
        return waitUntilStopped(open, waiting);
      },
    },
    () => readTarget(keys),
  );
}

async function moveIn(environment: Environment): Promise<Moved> {
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
  const source = { url, keys, close: async () => undefined };
  // Without SECRET_KEY, the keys are stored in DATA_DIR.
  const embedded = { DATABASE_URL: undefined, DATABASE_DIRECT_URL: undefined, SECRET_KEY: undefined };
  const readTarget = () => ({ ...environment, ...embedded });
  const processes = await listProcesses(url);
  if (processes.length === 0) return { end: await copyDatabase(source, readTarget) };
  reportBegin();
  const look = async () => ((await listProcesses(url)).length === 0 ? source : null);
  return copyRunningDatabase(
    {
      ...source,
      untilStopped: async (waiting) => {
        reportWait(`on every machine (now connected: ${(await listProcesses(url)).join(', ')})`);
        return waitUntilStopped(look, waiting);
      },
    },
    readTarget,
  );
}

function reportBegin(): void {
  report('The service is running: copying its history. Do not stop it yet.');
}

function reportWait(how: string): void {
  report(`The history is copied. Stop the service now, ${how}: the rest is copied once it has stopped.`);
}

function explainNextStep({ DATA_DIR }: Environment, to: string): string {
  if (to === EMBEDDED) {
    return `Moved to ${resolve(DATA_DIR)}. Remove DATABASE_URL and SECRET_KEY from the settings, then start the service.`;
  }
  return `Moved. Set DATABASE_URL to the new database and SECRET_KEY to the secretKey in ${resolve(DATA_DIR)}/secrets.json, then start the service.`;
}

function explainStop(stoppedMs?: number): string {
  return stoppedMs === undefined ? '' : ` It has been stopped for ${formatTiming(stoppedMs)}.`;
}

function toSeconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}

function report(text: string): void {
  process.stderr.write(`${text}\n`);
}
