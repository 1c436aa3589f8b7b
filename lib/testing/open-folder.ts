import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Creates a temporary folder that every user may enter, as the server of PostgreSQL must: if root runs a test, it is another user.
 * Otherwise its data is in /var/lib/pharos, where no test deletes it.
 */
export async function createOpenFolder(prefix: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), prefix));
  await chmod(folder, 0o755);
  return folder;
}
