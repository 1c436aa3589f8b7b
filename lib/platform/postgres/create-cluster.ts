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

/** Written into postgresql.conf when the cluster is made: a start for a small machine, the operator's to change. */
const INITIAL_SETTINGS = {
  shared_buffers: '128MB',
  max_connections: '100',
  fsync: 'on',
  synchronous_commit: 'on',
  wal_compression: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/**
 * The name that every process of the server of this data directory carries in its title, so that a later start can tell them from
 * those of other servers.
 */
export function nameCluster(directory: string): string {
  return `pharos-${createHash('sha256').update(directory).digest('hex').slice(0, 12)}`;
}

const SHARED_MEMORY_NEEDED = 128 * 1024 * 1024;

/** Containers often give /dev/shm 64 MB or nothing, where large parallel queries fail. */
async function isSharedMemoryUsable(runAs: RunAs): Promise<boolean> {
  const usage = await statfs('/dev/shm').catch(() => null);
  if (!usage || usage.bavail * usage.bsize < SHARED_MEMORY_NEEDED) return false;
  return (await runProgram('/bin/sh', ['-c', 'test -w /dev/shm'], runAs)).code === 0;
}

/** What must be set for parallel queries, and for initdb itself, where /dev/shm is too small or not writable. */
export async function chooseSharedMemory(runAs: RunAs): Promise<Record<string, string>> {
  if (process.platform !== 'linux' || (await isSharedMemoryUsable(runAs))) return {};
  return { dynamic_shared_memory_type: 'mmap' };
}

// An initdb of a killed start may still be writing for a moment: removing its directory then takes a few tries.
const REMOVE = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 } as const;

function passwordFileOf(directory: string): string {
  return `${directory}.password`;
}

/** Removes what starts that were killed in the middle of `createCluster` left beside `place`. */
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

async function initialize(options: {
  directory: string;
  binaries: PostgresBinaries;
  runAs: RunAs;
  password: string;
}): Promise<void> {
  const { directory, binaries, runAs, password } = options;
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
      // Sorts by code point like C, on every machine alike, and knows upper and lower case beyond ASCII, which C does not.
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
  throw new StartupError(`the database cannot be made in ${directory}: ${cause}`);
}

/**
 * Makes a new cluster at `place`, or under `stagingBase` with `place` a link to it, and returns its real path. Until it is
 * complete it has another name, `place.new-…`, so that a start killed in the middle leaves nothing that looks finished.
 * Throws StartupError with what initdb said.
 */
export async function createCluster(options: {
  place: string;
  staged: boolean;
  stagingBase: string;
  binaries: PostgresBinaries;
  runAs: RunAs;
  password: string;
}): Promise<string> {
  const { place, staged, stagingBase, ...rest } = options;
  const suffix = randomBytes(6).toString('hex');
  const temporary = `${place}.new-${suffix}`;
  const directory = staged ? join(stagingBase, `data-${suffix}`) : temporary;
  if (staged) {
    await createStagingBase(stagingBase, rest.runAs);
    await symlink(directory, temporary);
  }
  await initialize({ directory, ...rest });
  await rename(temporary, place);
  await syncDirectory(dirname(place));
  return staged ? directory : place;
}
