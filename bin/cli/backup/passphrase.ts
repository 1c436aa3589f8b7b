import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describeError, StartupError } from '@/lib/core/errors';
import { type Environment, readVariable } from '@/lib/env';

/**
 * The passphrase for a backup: the first line of the file, otherwise BACKUP_PASSPHRASE; null: none. It is never an argument, since
 * those of a process are visible to others. Throws StartupError if the file cannot be read or is empty.
 */
export async function readPassphrase(
  file: string | undefined,
  { BACKUP_PASSPHRASE }: Pick<Environment, 'BACKUP_PASSPHRASE'>,
): Promise<string | null> {
  if (file === undefined) return BACKUP_PASSPHRASE ?? null;
  const path = fromHere(file);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new StartupError(`--passphrase-file: cannot read ${path}: ${describeError(error)}`, {
      cause: error,
    });
  });
  const [line = ''] = text.split(/\r?\n/);
  if (line === '') throw new StartupError(`--passphrase-file: the first line of ${path} is empty`);
  return line;
}

/** A path as seen from where the command was called. */
export function fromHere(path: string): string {
  return resolve(readVariable('INIT_CWD') ?? process.cwd(), path);
}
