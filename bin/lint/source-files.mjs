import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

const PLACES = ['app', 'components', 'lib', 'inngest', 'bin', 'e2e', 'bench', 'clients'];
const SINGLE_FILES = ['proxy.ts'];
const SOURCE = /\.(ts|tsx|mjs)$/;
/** Generated, or built: `dist` of a client. */
const GENERATED = /(^|\/)(generated|dist)\//;

/**
 * The source files of the repository at `root`: path (with `/`, relative to it) → text. Generated code is left out.
 * @param {string} root
 * @returns {Map<string, string>}
 */
export function readSourceFiles(root) {
  const below = PLACES.filter((place) => existsSync(join(root, place))).flatMap((place) =>
    readdirSync(join(root, place), { recursive: true, encoding: 'utf8' })
      .map((path) => `${place}/${path.replaceAll(sep, '/')}`)
      .filter((path) => SOURCE.test(path) && !GENERATED.test(path)),
  );
  const single = SINGLE_FILES.filter((path) => existsSync(join(root, path)));
  const paths = [...below, ...single].sort();
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}
