import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PLACES = ['app', 'components', 'lib', 'inngest', 'bin', 'e2e', 'bench'];
const SINGLE_FILES = ['proxy.ts'];
const SOURCE = /\.(ts|tsx|mjs)$/;
const GENERATED = 'lib/platform/db/generated';

/**
 * The source files of the repository at `root`: path (with `/`, relative to it) → text. Generated code is left out.
 * @param {string} root
 * @returns {Map<string, string>}
 */
export function readSourceFiles(root) {
  const single = SINGLE_FILES.filter((path) => existsSync(join(root, path)));
  const paths = [...PLACES.flatMap((place) => listFolder(root, place)), ...single].sort();
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {string[]}
 */
function listFolder(root, folder) {
  if (folder === GENERATED || !existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return listFolder(root, path);
    return SOURCE.test(entry.name) ? [path] : [];
  });
}
