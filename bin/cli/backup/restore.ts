import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Command } from 'commander';
import { describeError, StartupError } from '@/lib/core/errors';
import { type Environment, getEnvironment } from '@/lib/env';
import { readArchive } from '@/lib/platform/backup/archive/archive';
import { readSections, type Sections } from '@/lib/platform/backup/archive/read-sections';
import type { BackupEnd } from '@/lib/platform/backup/archive/records';
import type { BackupProgress } from '@/lib/platform/backup/snapshot/read-snapshot';
import { printResult } from '../open-database';
import { abortOnSignal } from './backup';
import { fromHere, readPassphrase } from './passphrase';
import { createProgressLine } from './progress';
import { type GivenKeys, parseSecretsFile, withTarget } from './restore-target';

type Options = { verify: boolean; passphraseFile?: string; secrets?: string };

/** `pharos restore`. */
export function registerRestore(program: Command): void {
  program
    .command('restore')
    .description(
      'Restore a backup into an empty database: that of DATABASE_URL, otherwise the embedded one of DATA_DIR. Stop the service first. Every table is compared with the backup, and migrated to this version. Prints {createdAt, version, encrypted, tables, rows}.',
    )
    .argument('<file>', 'a file of "backup", or - for standard input')
    .option('--verify', 'only read the file and check all of it; needs no database', false)
    .option('--passphrase-file <file>', 'a file whose first line decrypts the backup')
    .option('--secrets <file>', 'the secrets.json of the old DATA_DIR, for a backup without its key')
    .action(async (file: string, { verify, passphraseFile, secrets }: Options) => {
      const environment = getEnvironment();
      const passphrase = await readPassphrase(passphraseFile, environment);
      const { header, records } = await readArchive(await openInput(file), passphrase);
      const signal = abortOnSignal();
      const sections = await readSections(untilInterrupted(records, signal));
      const { createdAt, version } = sections.manifest;
      const end = verify
        ? await verifyTables(sections)
        : await restore(sections, environment, { keys: await readGivenKeys(sections, secrets), signal });
      const rows = end.tables.reduce((sum, table) => sum + table.rows, 0);
      printResult({
        createdAt,
        version,
        encrypted: header.encryption !== null,
        tables: end.tables.length,
        rows,
      });
    });
}

async function openInput(file: string): Promise<Readable> {
  if (file === '-') return process.stdin;
  const path = fromHere(file);
  const found = await stat(path).catch((error: unknown) => {
    throw new StartupError(`cannot read ${path}: ${describeError(error)}`, { cause: error });
  });
  if (found.isDirectory()) throw new StartupError(`${path} is a directory: name a file`);
  return createReadStream(path, { highWaterMark: 256 * 1024 });
}

async function* untilInterrupted<T>(items: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  for await (const item of items) {
    throwIfInterrupted(signal);
    yield item;
  }
}

function throwIfInterrupted(signal: AbortSignal): void {
  if (signal.aborted) throw new StartupError('interrupted: nothing was restored');
}

function verifyTables({ manifest, eachTable }: Sections): Promise<BackupEnd> {
  const total = manifest.tables.reduce((sum, { bytes }) => sum + bytes, 0);
  const line = createProgressLine();
  let bytes = 0;
  return eachTable(async ({ name }, rows) => {
    for await (const data of rows) {
      bytes += data.length;
      line.show('verifying', { table: name, bytes, share: Math.min(0.99, bytes / Math.max(1, total)) });
    }
  }).finally(line.end);
}

async function readGivenKeys({ manifest }: Sections, secrets?: string): Promise<GivenKeys> {
  if (secrets === undefined) return manifest.keys;
  const path = fromHere(secrets);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new StartupError(`--secrets: cannot read ${path}: ${describeError(error)}`, { cause: error });
  });
  return parseSecretsFile(path, text);
}

function restore(
  sections: Sections,
  environment: Environment,
  { keys, signal }: { keys: GivenKeys; signal: AbortSignal },
): Promise<BackupEnd> {
  const line = createProgressLine();
  const onProgress = (step: 'load' | 'check', progress: BackupProgress) => {
    throwIfInterrupted(signal);
    line.show(step === 'load' ? 'restoring' : 'comparing', progress);
  };
  return withTarget(environment, { manifest: sections.manifest, keys }, (restoreInto) =>
    restoreInto(sections, { onProgress }).finally(line.end),
  );
}
