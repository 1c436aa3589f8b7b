import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What Next keeps for its next build, or for development; the rest of `.next` is a build. */
const STAYS = new Set([
  'build',
  'cache',
  'dev',
  'diagnostics',
  'lock',
  'trace',
  'trace-build',
  'turbopack',
  'types',
]);

/**
 * The directory of the build from sources with this hash, relative to the project. As deep as `.next`, because a build contains relative
 * paths to the packages.
 * @param {string} hash
 */
export const webBuildName = (hash) => `.next-${hash.slice(0, 16)}`;

/**
 * Moves what Next has built in `.next` to a directory of its own, which appears complete or not at all.
 * @param {string} root
 * @param {string} name
 */
export async function publishWebBuild(root, name) {
  const unfinished = join(root, '.next-new');
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished);
  for (const entry of await readdir(join(root, '.next'))) {
    if (!STAYS.has(entry)) await rename(join(root, '.next', entry), join(unfinished, entry));
  }
  // Locked by the processes that run this build (open-web-build.ts).
  await writeFile(join(unfinished, 'in-use'), '');
  // Assets, if this build was retired.
  await rm(join(root, name), { recursive: true, force: true });
  await rename(unfinished, join(root, name));
}
