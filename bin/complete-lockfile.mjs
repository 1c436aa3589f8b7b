// Run this after every change of dependencies: adds platform packages that npm omitted from package-lock.json.
import { readFile, writeFile } from 'node:fs/promises';
import { complete, findMissing } from './lockfile/platform-packages.mjs';

const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(await readFile(file, 'utf8'));
const missing = findMissing(lock.packages);
if (missing.length > 0)
  await writeFile(file, `${JSON.stringify({ ...lock, packages: complete(lock.packages) }, null, 2)}\n`);
console.log(`${missing.length} platform packages added to package-lock.json`);
