import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** How long the assets of a build stay reachable once nothing runs it: pages that are open still load them. */
export const ASSETS_STAY_MS = 86_400_000;

/** The only build there is: of a packed installation (bin/pack.mjs), or while developing. */
export const ONLY_BUILD = '.next';

/** The name of a build's directory (bin/build/web-builds.mjs). */
const NAME = /^\.next-[0-9a-f]{16}$/;

/** The file that processes running a build lock. */
export const lockPath = (directory: string) => join(directory, 'in-use');

/** The file that says when nothing ran a build any more. */
export const retiredPath = (directory: string) => join(directory, 'retired');

/** The directories of all builds in the project at `root`, except that of `current`. */
export async function listOtherBuilds(root: string, current: string): Promise<string[]> {
  const names = await readdir(root);
  return names.filter((name) => NAME.test(name) && name !== current).map((name) => join(root, name));
}

/** When nothing ran this build any more; null: not known to be so. */
export async function readRetirement(directory: string): Promise<Date | null> {
  if (!existsSync(retiredPath(directory))) return null;
  const date = new Date(await readFile(retiredPath(directory), 'utf8'));
  return Number.isNaN(date.getTime()) ? null : date;
}
