import { posix } from 'node:path';

const CODE = /\.(ts|tsx|mjs|js)$/;
/** Built or generated: missing in a new checkout, and not linted. */
const BUILT = /(^|\/)generated\/|^(dist|\.next(-\w+)?|clients\/\w+\/dist)\//;
const ENDINGS = ['', '.ts', '.tsx', '.mjs', '/index.ts', '/index.tsx'];

/**
 * The target of an import: a source file, a package or builtin, built code or another kind of file, or nothing.
 * @typedef {{ kind: 'file', path: string } | { kind: 'package', name: string } | { kind: 'other' } | { kind: 'missing' }} Resolution
 */

/**
 * Resolves `@/…` and relative specifiers among `paths`; everything else is a package.
 * @param {string} from the importing file
 * @param {string} specifier
 * @param {{ has(path: string): boolean }} paths
 * @returns {Resolution}
 */
export function resolveImport(from, specifier, paths) {
  const target = locate(from, specifier);
  if (target === null) return { kind: 'package', name: namePackage(specifier) };
  if (BUILT.test(`${target}/`)) return { kind: 'other' };
  // Published packages name the compiled file.
  const candidates = [...ENDINGS.map((ending) => target + ending), target.replace(/\.js$/, '.ts')];
  const path = candidates.find((candidate) => paths.has(candidate));
  if (path) return { kind: 'file', path };
  // Style sheets, JSON, images and files at the root are not part of the rules.
  const isOther = (posix.extname(target) !== '' && !CODE.test(target)) || !target.includes('/');
  return isOther ? { kind: 'other' } : { kind: 'missing' };
}

/**
 * @param {string} from
 * @param {string} specifier
 * @returns {string | null}
 */
function locate(from, specifier) {
  if (specifier.startsWith('@/')) return posix.normalize(specifier.slice(2));
  if (specifier.startsWith('./') || specifier.startsWith('../'))
    return posix.join(posix.dirname(from), specifier);
  return null;
}

/**
 * `next/navigation` → `next`, `@scope/name/x` → `@scope/name`, `node:net` → `node:net`.
 * @param {string} specifier
 * @returns {string}
 */
function namePackage(specifier) {
  if (specifier.startsWith('node:')) return specifier;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
