import { createHash, randomBytes } from 'node:crypto';
import {
  chown,
  lstat,
  mkdir,
  readdir,
  readlink,
  rename,
  rm,
  statfs,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { StartupError } from '@/lib/core/errors';
import type { PostgresBinaries } from './binaries';
import { syncDirectory } from './data-dir';
import { createStagingBase, type RunAs, runProgram } from './server-user';

/** The superuser of the cluster, and the owner of the database of the same name. */
export const DATABASE_USER = 'pharos';

/** Written to postgresql.conf of a new cluster: defaults for a small machine, which the operator may change. */
const INITIAL_SETTINGS = {
  shared_buffers: '128MB',
  max_connections: '100',
  fsync: 'on',
  synchronous_commit: 'on',
  wal_compression: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/** The name in the process titles of this directory's server, which distinguishes it from other servers. */
export function nameCluster(directory: string): string {
  return `pharos-${createHash('sha256').update(directory).digest('hex').slice(0, 12)}`;
}

const SHARED_MEMORY_NEEDED = 128 * 1024 * 1024;

/** Containers often limit /dev/shm to 64 MB or less, where large parallel queries fail. */
async function isSharedMemoryUsable(runAs: RunAs): Promise<boolean> {
  const usage = await statfs('/dev/shm').catch(() => null);
  if (!usage || usage.bavail * usage.bsize < SHARED_MEMORY_NEEDED) return false;
  return (await runProgram('/bin/sh', ['-c', 'test -w /dev/shm'], runAs)).code === 0;
}

/** The settings needed for parallel queries, and for initdb itself, if /dev/shm is too small or not writable. */
export async function chooseSharedMemory(runAs: RunAs): Promise<Record<string, string>> {
  if (process.platform !== 'linux' || (await isSharedMemoryUsable(runAs))) return {};
  return { dynamic_shared_memory_type: 'mmap' };
}

// An initdb of a killed start may still be writing for a moment, so removing its directory may take several
// attempts.
const REMOVE = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 } as const;

function passwordFileOf(directory: string): string {
  return `${directory}.password`;
}

/** Removes leftovers next to `place` of starts that were killed during `createCluster`. */
export async function removeUnfinishedClusters(place: string, stagingBase: string): Promise<void> {
  const parent = dirname(place);
  for (const name of await readdir(parent)) {
    if (!name.startsWith(`${basename(place)}.new-`)) continue;
    const path = join(parent, name);
    if ((await lstat(path)).isSymbolicLink()) {
      const target = await readlink(path);
      if (dirname(target) === stagingBase && basename(target).startsWith('data-')) {
        await rm(target, REMOVE);
        await rm(passwordFileOf(target), REMOVE);
      }
    }
    await rm(path, REMOVE);
  }
}

type Initial = { binaries: PostgresBinaries; runAs: RunAs; password: string };

async function initialize(directory: string, { binaries, runAs, password }: Initial): Promise<void> {
  const passwordFile = passwordFileOf(directory);
  await mkdir(directory, { mode: 0o700 });
  await writeFile(passwordFile, password, { flag: 'wx', mode: 0o600 });
  if (runAs) {
    await chown(directory, runAs.uid, runAs.gid);
    await chown(passwordFile, runAs.uid, runAs.gid);
  }
  const settings = { ...INITIAL_SETTINGS, ...(await chooseSharedMemory(runAs)) };
  const { code, output } = await runProgram(
    binaries.initdb,
    [
      `--pgdata=${directory}`,
      `--username=${DATABASE_USER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // Sorts by code point like C, identically on every machine, but also knows case beyond ASCII.
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      ...Object.entries(settings).map(([name, value]) => `--set=${name}=${value}`),
    ],
    runAs,
  );
  await rm(passwordFile, REMOVE);
  if (code === 0) return;
  await rm(directory, REMOVE);
  const lines = output.trim().split('\n');
  const reason = lines.findLast((line) => /error|FATAL/.test(line)) ?? lines.at(-1);
  const cause = reason?.replace(/^.*(initdb: error|FATAL): +/, '');
  throw new StartupError(`could not create the database in ${directory}: ${cause}`);
}

/**
 * Creates a new cluster at `place`, or under `stagingBase` with `place` linking to it, and returns its real
 * path. Until it is complete it is named `place.new-…`, so that a killed start leaves nothing that looks
 * finished. Throws StartupError with initdb's error.
 */
export async function createCluster(
  { place, staged, stagingBase }: { place: string; staged: boolean; stagingBase: string },
  initial: Initial,
): Promise<string> {
  const suffix = randomBytes(6).toString('hex');
  const temporary = `${place}.new-${suffix}`;
  const directory = staged ? join(stagingBase, `data-${suffix}`) : temporary;
  if (staged) {
    await createStagingBase(stagingBase, initial.runAs);
    await symlink(directory, temporary);
  }
  await initialize(directory, initial);
  await rename(temporary, place);
  await syncDirectory(dirname(place));
  return staged ? directory : place;
}
