import { readFile, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { buildUrl, readServedDirectory, withConnection } from './connection';
import { findServerProcesses } from './find-server';
import { readSecrets } from './secrets';
import { writePrivateFile } from './write-private-file';

const runtimeFile = z.object({ port: z.int().min(1).max(65_535), pid: z.int().positive() });

function runtimePath(dataDir: string): string {
  return join(dataDir, 'runtime.json');
}

/** Writes down, in `DATA_DIR/runtime.json` (mode 0600), where the server can be reached while it runs. */
export async function recordRunningServer(
  dataDir: string,
  server: { port: number; pid: number },
): Promise<void> {
  await writePrivateFile(runtimePath(dataDir), `${JSON.stringify(server)}\n`);
}

/** Removes the record of a server that has ended. */
export async function forgetRunningServer(dataDir: string): Promise<void> {
  await rm(runtimePath(dataDir), { force: true });
}

/**
 * The URL of this DATA_DIR's server when it is running and accepts connections, else null. For commands that are run
 * beside the service. Throws StartupError when secrets.json cannot be read.
 */
export async function findRunningPostgres(dataDir: string): Promise<{ url: string } | null> {
  const text = await readFile(runtimePath(dataDir), 'utf8').catch(() => null);
  if (text === null) return null;
  const secrets = await readSecrets(dataDir);
  if (!secrets) return null;
  try {
    const { port, pid } = runtimeFile.parse(JSON.parse(text));
    const directory = await realpath(join(dataDir, 'postgres'));
    // After a crash of all, somebody else may listen on that port and must not be sent the password.
    if (!(await findServerProcesses(directory)).postmasters.includes(pid)) return null;
    const url = buildUrl(port, secrets.postgresPassword);
    const served = await withConnection(url, readServedDirectory);
    // A copy of DATA_DIR made while the service ran has the same port and password in it.
    return served === directory ? { url } : null;
  } catch {
    return null;
  }
}
