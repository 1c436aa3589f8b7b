import { resolve } from 'node:path';
import type { Command } from 'commander';
import { StartupError } from '@/lib/core/errors';
import { type Environment, getEnvironment, parseEnvironment } from '@/lib/env';
import { readSections } from '@/lib/platform/backup/archive/read-sections';
import type { BackupEnd, BackupKeys, BackupRecord } from '@/lib/platform/backup/archive/records';
import { requireStopped } from '@/lib/platform/backup/restore/empty-target';
import { type BackupProgress, readSnapshot } from '@/lib/platform/backup/snapshot/read-snapshot';
import { version } from '@/package.json';
import { openStopped, printResult } from '../open-database';
import { abortOnSignal } from './backup';
import { createProgressLine } from './progress';
import { withTarget } from './restore-target';

const EMBEDDED = 'embedded';

/** Where a database is moved from. `url` leads to it without a pooler. */
type Source = { url: string; keys: BackupKeys; close(): Promise<void> };

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
  return copy({ url, keys, close }, () => parseEnvironment({ DATABASE_URL: to, ...settings }));
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
  return copy({ url, keys, close: async () => undefined }, () => ({ ...environment, ...embedded }));
}

/** One snapshot, loaded as it is read. Fails if a process of Pharos was connected to the old database at its end: it may have written. */
async function copy({ url, keys, close }: Source, readTarget: () => Environment): Promise<BackupEnd> {
  const line = createProgressLine();
  const signal = abortOnSignal();
  try {
    const target = readTarget();
    await requireStopped(url);
    const records = readSnapshot(url, { version, now: new Date(), keys, signal });
    const sections = await readSections(untilStopped(records, url));
    const onProgress = (step: 'load' | 'check', progress: BackupProgress) => {
      if (signal.aborted) throw new StartupError('interrupted: nothing was moved');
      line.show(step === 'load' ? 'moving' : 'comparing', progress);
    };
    return await withTarget(target, { manifest: sections.manifest, keys }, (restoreInto) =>
      restoreInto(sections, { onProgress }),
    );
  } finally {
    line.end();
    await close();
  }
}

async function* untilStopped(
  records: AsyncGenerator<BackupRecord>,
  url: string,
): AsyncGenerator<BackupRecord> {
  for await (const record of records) {
    if (record.kind === 'end') await requireStopped(url);
    yield record;
  }
}

function explainNextStep({ DATA_DIR }: Environment, to: string): string {
  if (to === EMBEDDED) {
    return `Moved to ${resolve(DATA_DIR)}. Remove DATABASE_URL and SECRET_KEY from the settings, then start the service.`;
  }
  return `Moved. Set DATABASE_URL to the new database and SECRET_KEY to the secretKey in ${resolve(DATA_DIR)}/secrets.json, then start the service.`;
}
