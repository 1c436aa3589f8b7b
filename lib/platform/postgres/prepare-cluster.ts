import { lchown, lstat, readdir, readFile, realpath, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartupError } from '@/lib/core/errors';
import { type PostgresBinaries, provideBinaries } from './binaries';
import { createCluster, removeUnfinishedClusters } from './create-cluster';
import { chooseServerUser, describeUser, isRoot, letEnter, type RunAs } from './server-user';

/** A complete cluster on disk: `directory` is its real path, `uid` and `gid` its owner. */
type ClusterDirectory = { directory: string; uid: number; gid: number; major: string };

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

/**
 * The real path at which the cluster of DATA_DIR lies or is to be made. `DATA_DIR/postgres` may be a link. Throws
 * StartupError when that link leads nowhere, since starting with an empty database would pass for data loss.
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
      `${link} is a link to a database that is not there: restore its target, or remove the link to start empty`,
      { cause: error },
    );
  }
}

/**
 * The cluster at `directory`, or null when there is none yet; an empty directory counts as none and is removed. Throws
 * StartupError when something else lies there, or somebody else's cluster that we may not run.
 */
async function readCluster(directory: string): Promise<ClusterDirectory | null> {
  let owner: { uid: number; gid: number };
  try {
    owner = await stat(directory);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
  if (!isRoot() && owner.uid !== process.getuid?.()) {
    const user = await describeUser(owner.uid);
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

/** Gives a tree to the server's user, without following links. */
async function giveTree(path: string, owner: { uid: number; gid: number }): Promise<void> {
  await lchown(path, owner.uid, owner.gid);
  if (!(await lstat(path)).isDirectory()) return;
  for (const name of await readdir(path)) await giveTree(join(path, name), owner);
}

/** Gives the cluster to the server's user where it belongs to root, as after a backup was restored by root. */
async function adoptCluster(cluster: ClusterDirectory, runAs: RunAs): Promise<void> {
  if (runAs && cluster.uid === 0) await giveTree(cluster.directory, runAs);
}

/** A cluster ready to be served: its real path, by which programs, as whom. */
export type PreparedCluster = { directory: string; binaries: PostgresBinaries; runAs: RunAs };

type Options = {
  dataDir: string;
  stagingBase: string;
  password: string;
  log: (line: string) => void;
};

async function checkCluster(
  cluster: ClusterDirectory,
  binaries: PostgresBinaries,
  runAs: RunAs,
): Promise<void> {
  if (cluster.major !== binaries.major) {
    throw new StartupError(
      `${cluster.directory} was made by PostgreSQL ${cluster.major}, this Pharos carries ${binaries.major}: dump it with ` +
        `the old version and restore it, or serve it with PostgreSQL ${cluster.major} and set DATABASE_URL`,
    );
  }
  await adoptCluster(cluster, runAs);
  if (await letEnter(dirname(cluster.directory), runAs)) return;
  const user = await describeUser(runAs?.uid ?? -1);
  throw new StartupError(
    `${user}, who runs the database, cannot reach ${cluster.directory}: chmod a+x the directories above it`,
  );
}

/**
 * Finds the cluster of DATA_DIR or makes it. As root, the server runs as an unprivileged user, and what that user cannot
 * reach is staged under `stagingBase`. Throws StartupError when there can be no cluster.
 */
export async function prepareCluster({
  dataDir,
  stagingBase,
  password,
  log,
}: Options): Promise<PreparedCluster> {
  const place = await locateCluster(dataDir);
  await removeUnfinishedClusters(place, stagingBase);
  const cluster = await readCluster(place);
  const runAs = await chooseServerUser(cluster);
  const binaries = await provideBinaries({ runAs, stagingBase, log });
  if (cluster) {
    await checkCluster(cluster, binaries, runAs);
    return { directory: cluster.directory, binaries, runAs };
  }
  log('making the database');
  const staged = !(await letEnter(dirname(place), runAs));
  const directory = await createCluster({ place, staged, stagingBase, binaries, runAs, password });
  if (staged) {
    const user = await describeUser(runAs?.uid ?? -1);
    log(
      `the database lies in ${directory}, since ${user} cannot reach DATA_DIR; ${place} links to it: back up both`,
    );
  }
  return { directory, binaries, runAs };
}
