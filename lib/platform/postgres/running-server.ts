import { readFile, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'pg';
import { z } from 'zod';
import { withClient } from '@/lib/platform/db/connections/with-client';
import { DATABASE_USER } from './create-cluster';
import { readSecrets, writePrivateFile } from './data-dir';
import { findServerProcesses } from './leftover-server';

/** The database has the same name. */
const DATABASE = DATABASE_USER;

/** The URL of the embedded server, for clients on this machine. */
export function buildUrl(port: number, password: string, database = DATABASE): string {
  return `postgresql://${DATABASE_USER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}

/** Where a server listens, and the data directory that it must serve. */
export type ServerTarget = { port: number; password: string; directory: string };

/** The real path of the data directory served by the connected server. */
export async function readServedDirectory(client: Client): Promise<string | null> {
  const { rows } = await client.query<{ directory: string }>(
    "SELECT current_setting('data_directory') AS directory",
  );
  return rows[0]?.directory ?? null;
}

/**
 * Creates the database if it is missing: the first start may have been killed earlier. Returns false, without
 * changes, if the responding server is not that of `directory`: a copy of a DATA_DIR has the same password.
 */
export async function ensureDatabase({ port, password, directory }: ServerTarget): Promise<boolean> {
  return withClient({ connectionString: buildUrl(port, password, 'postgres') }, async (client) => {
    if ((await readServedDirectory(client)) !== directory) return false;
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
    return true;
  });
}

const runtimeFile = z.object({ port: z.int().min(1).max(65_535), pid: z.int().positive() });
type RunningServer = z.infer<typeof runtimeFile>;

function runtimePath(dataDir: string): string {
  return join(dataDir, 'runtime.json');
}

/** Records in `DATA_DIR/runtime.json` (mode 0600) where the server can be reached while it runs. */
export async function recordRunningServer(dataDir: string, server: RunningServer): Promise<void> {
  await writePrivateFile(runtimePath(dataDir), `${JSON.stringify(server)}\n`);
}

/** Removes the record of a stopped server. */
export async function removeServerRecord(dataDir: string): Promise<void> {
  await rm(runtimePath(dataDir), { force: true });
}

/** The URL of this DATA_DIR's running server, or null. Throws StartupError if secrets.json cannot be read. */
export async function findRunningPostgres(dataDir: string): Promise<{ url: string } | null> {
  const text = await readFile(runtimePath(dataDir), 'utf8').catch(() => null);
  if (text === null) return null;
  const secrets = await readSecrets(dataDir);
  if (!secrets) return null;
  try {
    const { port, pid } = runtimeFile.parse(JSON.parse(text));
    const directory = await realpath(join(dataDir, 'postgres'));
    // After a crash, another program may listen on that port, and must not receive the password.
    if (!(await findServerProcesses(directory)).postmasters.includes(pid)) return null;
    const url = buildUrl(port, secrets.postgresPassword);
    const served = await withClient({ connectionString: url }, readServedDirectory);
    // A copy of DATA_DIR made during operation contains the same port and password.
    return served === directory ? { url } : null;
  } catch {
    return null;
  }
}
