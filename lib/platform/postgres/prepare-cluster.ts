import { lchown, lstat, readdir, readFile, realpath, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartupError } from '@/lib/core/errors';
import { type PostgresBinaries, provideBinaries } from './binaries';
import { finishUpgrade } from './cluster-upgrade';
import { createCluster, removeUnfinishedClusters } from './create-cluster';
import { chooseServerUser, formatUser, isRoot, letEnter, type RunAs } from './server-user';

/** A complete cluster on disk: `directory` is its real path, `uid` and `gid` its owner. */
type ClusterDirectory = { directory: string; uid: number; gid: number; major: string };

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

/**
 * The real path of the existing or future cluster of DATA_DIR. `DATA_DIR/postgres` may be a link. Throws
 * StartupError if that link is broken, since starting with an empty database would look like data loss.
 */
async function locateCluster(dataDir: string): Promise<string> {
  const link = join(await realpath(dataDir), 'postgres');
  const entry = await lstat(link).catch((error) => {
    if (isMissing(error)) return null;
    throw error;
  });
  if (!entry) return link;
  try {
    return await realpath(link);
  } catch (error) {
    throw new StartupError(
      `${link} is a link to a missing database: restore its target, or remove the link to start empty`,
      { cause: error },
    );
  }
}

/** The cluster at `directory`; null if that is missing or empty. Throws StartupError for anything that we may not run. */
async function readCluster(directory: string): Promise<ClusterDirectory | null> {
  let owner: { uid: number; gid: number };
  try {
    owner = await stat(directory);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
  if (!isRoot() && owner.uid !== process.getuid?.()) {
    const user = await formatUser(owner.uid);
    throw new StartupError(
      `${directory} belongs to ${user}: start Pharos as that user or as root, or chown -R it`,
    );
  }
  try {
    const major = (await readFile(join(directory, 'PG_VERSION'), 'utf8')).trim();
    return { directory, uid: owner.uid, gid: owner.gid, major };
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  if ((await readdir(directory)).length > 0) {
    throw new StartupError(
      `${directory} is not a PostgreSQL data directory: move it away or set DATA_DIR elsewhere`,
    );
  }
  await rmdir(directory);
  return null;
}

/** Changes the owner of a tree to the server's user, without following links. */
async function chownTree(path: string, owner: { uid: number; gid: number }): Promise<void> {
  await lchown(path, owner.uid, owner.gid);
  if (!(await lstat(path)).isDirectory()) return;
  for (const name of await readdir(path)) await chownTree(join(path, name), owner);
}

/** A cluster ready to run: its real path, the programs, and the user. */
export type PreparedCluster = { directory: string; binaries: PostgresBinaries; runAs: RunAs };

type Serving = { binaries: PostgresBinaries; runAs: RunAs; upgradeCommand: string };

async function checkCluster(cluster: ClusterDirectory, { binaries, runAs, upgradeCommand }: Serving) {
  const { major } = binaries;
  if (cluster.major !== major) {
    throw new StartupError(
      `${cluster.directory} was created by PostgreSQL ${cluster.major}, but this Pharos includes ${major}: run "${upgradeCommand}", then start again`,
    );
  }
  // As after root restored a backup.
  if (runAs && cluster.uid === 0) await chownTree(cluster.directory, runAs);
  if (await letEnter(dirname(cluster.directory), runAs)) return;
  const user = await formatUser(runAs?.uid ?? -1);
  throw new StartupError(
    `the database user ${user} cannot reach ${cluster.directory}: chmod a+x the directories above it`,
  );
}

/**
 * Finds or creates the cluster of DATA_DIR. As root, the server runs as an unprivileged user, and what that
 * user cannot reach is staged under `stagingBase`. Throws StartupError if neither is possible.
 */
export async function prepareCluster(options: {
  dataDir: string;
  stagingBase: string;
  password: string;
  log: (line: string) => void;
  installed?: PostgresBinaries;
  upgradeCommand: string;
}): Promise<PreparedCluster> {
  const { dataDir, stagingBase, password, log, installed, upgradeCommand } = options;
  await finishUpgrade(dataDir);
  const place = await locateCluster(dataDir);
  await removeUnfinishedClusters(place, stagingBase);
  const cluster = await readCluster(place);
  const runAs = await chooseServerUser(cluster);
  const binaries = await provideBinaries({ runAs, stagingBase, log, installed });
  if (cluster) {
    await checkCluster(cluster, { binaries, runAs, upgradeCommand });
    return { directory: cluster.directory, binaries, runAs };
  }
  log('creating the database');
  const staged = !(await letEnter(dirname(place), runAs));
  const directory = await createCluster({ place, staged, stagingBase }, { binaries, runAs, password });
  if (staged) {
    const user = await formatUser(runAs?.uid ?? -1);
    log(
      `the database is stored in ${directory}, since ${user} cannot reach DATA_DIR; ${place} links to it: back up both`,
    );
  }
  return { directory, binaries, runAs };
}
