import { readdir, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { StartupError } from '@/lib/core/errors';
import { readVariable } from '@/lib/env';
import {
  type ImportPlan,
  type ImportSource,
  MAX_DATABASE_BYTES,
  readImport,
  TAKES_FILES,
} from '@/lib/importing';
import { readInput } from '../read-input';

/**
 * The plan of an import from files, or from standard input for `-`. A folder of Gatus stands for the YAML files in it. `envFile` has the
 * values of its placeholders. Throws a StartupError for what cannot be read.
 */
export async function readPlan(
  source: ImportSource,
  names: readonly string[],
  envFile?: string,
): Promise<ImportPlan> {
  if (envFile !== undefined && !TAKES_FILES.has(source))
    throw new StartupError(`--env-file is for ${[...TAKES_FILES].join(', ')}`);
  const paths = TAKES_FILES.has(source) ? (await Promise.all(names.map(listFiles))).flat() : names;
  const files: Uint8Array[] = [];
  let size = 0;
  for (const path of paths) {
    const file = await readInput(path, MAX_DATABASE_BYTES);
    files.push(file);
    size += file.byteLength;
    // Too large for any source: the rest does not have to be read.
    if (size > MAX_DATABASE_BYTES) break;
  }
  return readImport(source, files, { variables: envFile === undefined ? {} : await readEnvFile(envFile) });
}

/** A file, or the files of a folder that Gatus reads: https://github.com/TwiN/gatus/blob/master/config/config.go, walkConfigDir. */
async function listFiles(name: string): Promise<string[]> {
  const path = resolve(readVariable('INIT_CWD') ?? process.cwd(), name);
  const isFolder = name !== '-' && (await stat(path).catch(() => null))?.isDirectory() === true;
  if (!isFolder) return [name];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => !entry.isDirectory() && /\.ya?ml$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    // Kubernetes has each file twice: behind a link, and in a folder whose name begins with dots.
    .filter((file) => !relative(path, file).includes('..'));
  if (files.length === 0) throw new StartupError(`${path} has no YAML files`);
  return files.sort();
}

async function readEnvFile(name: string): Promise<Record<string, string>> {
  const variables = parseEnv((await readInput(name, MAX_DATABASE_BYTES)).toString());
  return Object.fromEntries(
    Object.entries(variables).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}
