import { readdir, realpath, stat } from 'node:fs/promises';
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
 * The plan of an import from files, or from standard input for `-`. A folder of Gatus stands for the YAML files in it; a file that is named
 * twice is read once. `variables` is the name of a file with the values of its placeholders. Throws a StartupError for what cannot be read.
 */
export async function readPlan(
  source: ImportSource,
  names: readonly string[],
  variables?: string,
): Promise<ImportPlan> {
  if (variables !== undefined && !TAKES_FILES.has(source))
    throw new StartupError(`--variables is for ${[...TAKES_FILES].join(', ')}`);
  const paths = TAKES_FILES.has(source)
    ? await withoutRepetition((await Promise.all(names.map(listFiles))).flat())
    : names;
  const files: Uint8Array[] = [];
  let size = 0;
  for (const path of paths) {
    const file = await readInput(path, MAX_DATABASE_BYTES);
    files.push(file);
    size += file.byteLength;
    // Too large for any source: the rest does not have to be read.
    if (size > MAX_DATABASE_BYTES) break;
  }
  return readImport(source, files, {
    variables: variables === undefined ? {} : await readVariables(variables),
  });
}

/** A file, or the files of a folder that Gatus reads: https://github.com/TwiN/gatus/blob/master/config/config.go, walkConfigDir. */
async function listFiles(name: string): Promise<string[]> {
  const path = pathOf(name);
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

/** The paths of different files. A folder and a file in it are often named together. */
async function withoutRepetition(names: readonly string[]): Promise<string[]> {
  const paths = await Promise.all(names.map((name) => realpath(pathOf(name)).catch(() => name)));
  return names.filter((name, index) => name === '-' || paths.indexOf(paths[index] ?? name) === index);
}

/** Where a file is, which is named from where the person is. */
function pathOf(name: string): string {
  return resolve(readVariable('INIT_CWD') ?? process.cwd(), name);
}

const ASSIGNMENT = /^\s*(?:export\s+)?[\w.-]+\s*=/;
/** A value in quotes can have several lines. */
const QUOTED = /^(\s*(?:export\s+)?[\w.-]+\s*=\s*)("[^"]*"|'[^']*'|`[^`]*`)/gm;

async function readVariables(name: string): Promise<Record<string, string>> {
  const text = (await readInput(name, MAX_DATABASE_BYTES)).toString();
  const lines = text
    .replaceAll(
      QUOTED,
      (_, start: string, value: string) => start + '\n'.repeat(value.split('\n').length - 1),
    )
    .split('\n');
  const broken = lines.findIndex((line) => !/^\s*(?:#|$)/.test(line) && !ASSIGNMENT.test(line));
  // The line itself can be a part of a secret.
  if (broken >= 0) throw new StartupError(`${name}, line ${broken + 1}: expected NAME=value`);
  const variables = parseEnv(text);
  return Object.fromEntries(
    Object.entries(variables).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}
