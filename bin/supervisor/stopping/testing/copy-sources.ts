import { cp, mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const BUILT = /^(\.next(-\w+)?|dist|\.data|coverage)$/;

/** What programs find the checkout by, links resolved, and what a build writes to. */
const COPIED = ['bin', 'public'];

/** A checkout in which nothing is built, below `folder`. Most of it are links to this one. Returns its path. */
export async function copySources(folder: string): Promise<string> {
  const directory = join(folder, 'checkout');
  await mkdir(directory);
  for (const name of COPIED) await cp(join(root, name), join(directory, name), { recursive: true });
  for (const name of await readdir(root)) {
    if (COPIED.includes(name) || name === '.env' || name === '.git' || BUILT.test(name)) continue;
    await symlink(join(root, name), join(directory, name));
  }
  return directory;
}
