import type { Command } from 'commander';
import { StartupError } from '@/lib/core/errors';
import { formatBytes } from '@/lib/core/text';
import { type Environment, getEnvironment } from '@/lib/env';
import { writeBackup, writeBackupFile } from '@/lib/platform/backup/write-backup';
import { version } from '@/package.json';
import { connectDatabase, printResult } from '../open-database';
import { fromHere, readPassphrase } from './passphrase';
import { createProgressLine } from './progress';

/** `pharos backup`. */
export function registerBackup(program: Command): void {
  program
    .command('backup')
    .description(
      'Write a backup of the database as of this moment to a new file, while the service runs or is stopped; prints {file, bytes, tables, rows, encrypted}. With BACKUP_PASSPHRASE or --passphrase-file, it is encrypted and includes the secret key.',
    )
    .argument('<file>', 'the file to create, or - for standard output')
    .option('--passphrase-file <file>', 'a file whose first line encrypts the backup')
    .action(async (file: string, { passphraseFile }: { passphraseFile?: string }) => {
      const environment = getEnvironment();
      const passphrase = await readPassphrase(passphraseFile, environment);
      if (file === '-' && process.stdout.isTTY) {
        throw new StartupError('standard output is a terminal: redirect it, or name a file');
      }
      const line = createProgressLine();
      const { directUrl: url, keys, close } = await connectDatabase(environment);
      const source = {
        url,
        keys,
        passphrase,
        version,
        now: new Date(),
        signal: abortOnSignal(),
        onProgress: line.show.bind(null, 'backing up'),
      };
      try {
        if (file === '-') {
          const { rows, tables } = await writeBackup(process.stdout, source);
          line.end();
          report(`Backed up ${rows} rows of ${tables} tables.`);
        } else {
          const result = await writeBackupFile(fromHere(file), source);
          line.end();
          report(`Backed up ${result.rows} rows of ${result.tables} tables: ${formatBytes(result.bytes)}.`);
          printResult(result);
        }
        if (passphrase === null) report(explainMissingKey(environment));
      } catch (error) {
        line.end();
        if (!source.signal.aborted) throw error;
        throw new StartupError('interrupted: no backup was written', { cause: error });
      } finally {
        await close();
      }
    });
}

/** Aborted by Ctrl-C or SIGTERM, so that a file that is not complete is removed. A second one ends the process at once. */
export function abortOnSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}

function explainMissingKey({ SECRET_KEY, DATA_DIR }: Environment): string {
  const place = SECRET_KEY === undefined ? `${fromHere(DATA_DIR)}/secrets.json` : 'SECRET_KEY';
  return `The backup is not encrypted, and does not include the secret key: keep ${place} too. Without it, stored secrets cannot be decrypted.`;
}

function report(text: string): void {
  process.stderr.write(`${text}\n`);
}
