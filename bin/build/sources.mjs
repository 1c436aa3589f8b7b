import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

const NOT_BUILT =
  /(\.test\.tsx?$|(^|\/)README\.md$|\/testing\/|^lib\/platform\/db\/generated\/|^public\/import-reader\/)/;

const hashForThisNode = () => createHash('sha256').update(`${process.versions.node.split('.')[0]}\0`);

/**
 * The hash of what the files contain.
 * @param {string} root
 * @param {string[]} files
 */
export async function hashSources(root, files) {
  const hash = hashForThisNode();
  for (const file of files) {
    hash
      .update(`${file}\0`)
      .update(await readFile(join(root, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

/**
 * The hash of the sizes and times of the files, which is read faster.
 * @param {string} root
 * @param {string[]} files
 */
export function hashLooks(root, files) {
  const hash = hashForThisNode();
  for (const file of files) {
    const { size, mtimeMs } = statSync(join(root, file), { throwIfNoEntry: false }) ?? {};
    hash.update(`${file}\0${size}\0${mtimeMs}\0`);
  }
  return hash.digest('hex');
}

/**
 * The files at or below a path that a build reads, sorted; empty if it does not exist.
 * @param {string} root
 * @param {string} path
 * @returns {string[]}
 */
export function listFiles(root, path) {
  const place = join(root, path);
  if (!existsSync(place)) return [];
  if (!statSync(place).isDirectory()) return [path];
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => !NOT_BUILT.test(file))
    .sort();
}
