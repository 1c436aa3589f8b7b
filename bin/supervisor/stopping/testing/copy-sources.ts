import { cp, mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const BUILT = ['.next', 'dist', '.data'];

/** A checkout in which nothing is built, below `folder`. All but the programs are links to this one. Returns its path. */
export async function copySources(folder: string): Promise<string> {
  const directory = join(folder, 'checkout');
  await mkdir(directory);
  // Programs find the checkout from where they are, links resolved.
  await cp(join(root, 'bin'), join(directory, 'bin'), { recursive: true });
  for (const name of await readdir(root)) {
    if (name === 'bin' || name === '.env' || name === '.git' || BUILT.includes(name)) continue;
    await symlink(join(root, name), join(directory, name));
  }
  return directory;
}
