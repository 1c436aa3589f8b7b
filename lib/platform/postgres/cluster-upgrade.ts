import { copyFile, lstat, mkdir, readFile, readlink, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syncDirectory } from './data-dir';

const REMOVE = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 } as const;

const upgradePath = (dataDir: string) => join(dataDir, 'upgrade');
/** Written once the new cluster is complete. Contains where the old one goes. */
const markerPath = (dataDir: string) => join(upgradePath(dataDir), 'complete');

const exists = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** The major version of PostgreSQL that created the cluster of DATA_DIR; null: there is none. */
export async function readClusterMajor(dataDir: string): Promise<string | null> {
  const text = await readFile(join(dataDir, 'postgres', 'PG_VERSION'), 'utf8').catch(() => null);
  return text?.trim() ?? null;
}

/**
 * Begins an upgrade: returns a directory to be used as the DATA_DIR of the new cluster, with the same secrets, and without what an
 * interrupted upgrade left. The caller holds the lock on DATA_DIR.
 */
export async function beginUpgrade(dataDir: string): Promise<string> {
  const directory = upgradePath(dataDir);
  const link = join(directory, 'postgres');
  const target = await readlink(link).catch(() => null);
  if (target !== null) await rm(target, REMOVE);
  await rm(directory, REMOVE);
  await mkdir(directory, { mode: 0o700 });
  await copyFile(join(dataDir, 'secrets.json'), join(directory, 'secrets.json'));
  return directory;
}

/** Ends an upgrade whose new cluster is complete and stopped. Returns where the old cluster is kept. */
export async function completeUpgrade(dataDir: string): Promise<string> {
  const kept = `postgres-${await readClusterMajor(dataDir)}`;
  const name = (await exists(join(dataDir, kept))) ? `${kept}-${Date.now()}` : kept;
  await writeFile(markerPath(dataDir), name, { flush: true });
  await syncDirectory(upgradePath(dataDir));
  await finishUpgrade(dataDir);
  return join(dataDir, name);
}

/** Exchanges the clusters of an upgrade that was interrupted after its new cluster was complete. Otherwise, does nothing. */
export async function finishUpgrade(dataDir: string): Promise<void> {
  const name = await readFile(markerPath(dataDir), 'utf8').catch(() => null);
  if (name === null) return;
  const [place, kept] = [join(dataDir, 'postgres'), join(dataDir, name)];
  if (!(await exists(kept))) await rename(place, kept);
  if (!(await exists(place))) await rename(join(upgradePath(dataDir), 'postgres'), place);
  await syncDirectory(dataDir);
  await rm(upgradePath(dataDir), REMOVE);
}
