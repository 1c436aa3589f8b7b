import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '@/package.json';
import { rootPath } from '../cli/paths';

/** Written by pack.mjs, for installations without a repository. */
const COMMIT_FILE = join(rootPath, 'dist', 'commit');

/** The version with the commit it was built from, if that is known: `0.1.0 (4039d84)`. */
export function describeVersion(): string {
  const commit = readCommit();
  return commit === null ? version : `${version} (${commit})`;
}

function readCommit(): string | null {
  if (existsSync(COMMIT_FILE)) return readFileSync(COMMIT_FILE, 'utf8').trim();
  if (!existsSync(join(rootPath, '.git'))) return null;
  const { status, stdout } = spawnSync('git', ['rev-parse', '--short', 'HEAD'], {
    cwd: rootPath,
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : null;
}
