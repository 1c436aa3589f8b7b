import { dirname } from 'node:path';
import { StartupError } from '@/lib/core/errors';
import type { PostgresBinaries } from './binaries';
import { adoptCluster, type ClusterDirectory, locateCluster, readCluster } from './cluster-directory';
import { createCluster, removeUnfinishedClusters } from './create-cluster';
import { letEnter } from './reachability';
import type { RunAs } from './run-program';
import { chooseServerUser, describeUser } from './server-user';
import { provideBinaries } from './staged-binaries';

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
