import { randomBytes } from 'node:crypto';
import { chmod, cp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupError } from '@/lib/core/errors';
import { waitForFileLock } from '@/lib/core/file-lock';
import { completeBinaries, describeBinaries, findBinaries, type PostgresBinaries } from './binaries';
import { type RunAs, runProgram } from './run-program';
import { createStagingBase } from './staging-base';

/** Lets everybody read a tree: it may have been installed under a umask that does not. */
async function makeReadable(directory: string): Promise<void> {
  await chmod(directory, 0o755);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await makeReadable(path);
    else if (entry.isFile()) await chmod(path, ((await stat(path)).mode & 0o111) === 0 ? 0o644 : 0o755);
  }
}

async function stageBinaries(
  source: PostgresBinaries,
  stagingBase: string,
  runAs: RunAs,
): Promise<PostgresBinaries> {
  await createStagingBase(stagingBase, runAs);
  const name = `postgresql-${source.version}`;
  const staged = describeBinaries(join(stagingBase, name), source.version);
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
    await completeBinaries(describeBinaries(temporary, source.version));
    await makeReadable(temporary);
    await rename(temporary, staged.directory);
    return staged;
  } finally {
    lock.release();
  }
}

/**
 * PostgreSQL's programs where that user can run them: as npm installed them or, when root can reach them but the server's
 * user cannot, as a copy under `stagingBase`. `installed` names other ones than npm's. Throws StartupError when they do not run.
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
