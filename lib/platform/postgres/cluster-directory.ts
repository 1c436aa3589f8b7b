import { lchown, lstat, readdir, readFile, realpath, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupError } from '@/lib/core/errors';
import type { RunAs } from './run-program';
import { describeUser, isRoot } from './server-user';

/** A complete cluster on disk: `directory` is its real path, `uid` and `gid` its owner. */
export type ClusterDirectory = { directory: string; uid: number; gid: number; major: string };

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

/**
 * The real path at which the cluster of DATA_DIR lies or is to be made. `DATA_DIR/postgres` may be a link. Throws
 * StartupError when that link leads nowhere, since starting with an empty database would pass for data loss.
 */
export async function locateCluster(dataDir: string): Promise<string> {
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
export async function readCluster(directory: string): Promise<ClusterDirectory | null> {
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
export async function adoptCluster(cluster: ClusterDirectory, runAs: RunAs): Promise<void> {
  if (runAs && cluster.uid === 0) await giveTree(cluster.directory, runAs);
}
