import type { Command } from 'commander';
import { formatCommand } from '@/lib/command-line';
import { StartupError } from '@/lib/core/errors';
import { type Environment, getEnvironment } from '@/lib/env';
import type { BackupEnd } from '@/lib/platform/backup/archive/records';
import {
  beginUpgrade,
  completeUpgrade,
  ensureDataDir,
  findBinaries,
  findBinariesIn,
  lockDataDir,
  type PostgresBinaries,
  readClusterMajor,
  readOrCreateSecrets,
  startEmbeddedPostgres,
} from '@/lib/platform/postgres';
import { chooseSecretKeys } from '../../supervisor/provide-database';
import { printResult } from '../open-database';
import { copyDatabase } from './copy-database';
import { installPrograms } from './install-programs';
import { fromHere } from './passphrase';

/** `pharos upgrade-database`. */
export function registerUpgradeDatabase(program: Command): void {
  program
    .command('upgrade-database')
    .description(
      'Upgrade the embedded database of a stopped service to the major version of PostgreSQL that this Pharos includes: copies it to a new one, compares every table, and keeps the old one. Installs the programs of the old version with npm for the time being. Prints {from, to, tables, rows, kept}.',
    )
    .option(
      '--programs <directory>',
      'instead of npm: a directory with bin/postgres of the old version, such as /usr/lib/postgresql/17',
    )
    .action(async ({ programs }: { programs?: string }) => {
      const environment = getEnvironment();
      if (environment.DATABASE_URL !== undefined) {
        throw new StartupError('DATABASE_URL is set: upgrade your own PostgreSQL with its own tools');
      }
      const dataDir = await ensureDataDir(environment.DATA_DIR);
      const lock = lockDataDir(dataDir);
      try {
        const { major: to } = await findBinaries();
        const from = await readClusterMajor(dataDir);
        if (from === null || from === to) {
          const state = from === null ? 'there is no database yet' : `the database is of PostgreSQL ${to}`;
          process.stderr.write(`Nothing to upgrade: ${state}.\n`);
          return;
        }
        const { tables } = await withPrograms(from, programs, (binaries) =>
          copyToNewCluster(environment, { dataDir, binaries }),
        );
        const kept = await completeUpgrade(dataDir);
        const rows = tables.reduce((sum, table) => sum + table.rows, 0);
        process.stderr.write(`Upgraded. Start the service, then delete the old database in ${kept}.\n`);
        printResult({ from, to, tables: tables.length, rows, kept });
      } finally {
        lock.release();
      }
    });
}

/** Calls `work` with the programs of a major version, which are removed afterwards if they were installed for it. */
async function withPrograms<T>(
  major: string,
  directory: string | undefined,
  work: (binaries: PostgresBinaries) => Promise<T>,
): Promise<T> {
  if (directory !== undefined) return work(await findBinariesIn(fromHere(directory), major));
  const installed = await installPrograms(major);
  try {
    return await work(await findBinariesIn(installed.directory, major));
  } finally {
    await installed.remove();
  }
}

async function copyToNewCluster(
  environment: Environment,
  { dataDir, binaries }: { dataDir: string; binaries: PostgresBinaries },
): Promise<BackupEnd> {
  const secrets = await readOrCreateSecrets(dataDir);
  const keys = chooseSecretKeys(environment, secrets);
  const log = (line: string) => void process.stderr.write(`${line}\n`);
  const directory = await beginUpgrade(dataDir);
  const { url, stop } = await startEmbeddedPostgres({
    dataDir,
    log,
    upgradeCommand: formatCommand('upgrade-database'),
    installed: binaries,
  });
  return copyDatabase({ url, keys, close: stop }, () => ({ ...environment, DATA_DIR: directory }));
}
