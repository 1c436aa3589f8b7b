import { rmSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, escapeLiteral } from 'pg';
import { migrate } from '@/lib/platform/db/migrate';
import { startEmbeddedPostgres } from '@/lib/platform/postgres';
import { createOpenFolder } from '@/lib/testing/open-folder';

/** The migrated database that all test databases are copied from. */
export const TEMPLATE_DATABASE = 'pharos_template';

const MIGRATIONS = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));

/** Tests do not need durability. */
const FAST_SETTINGS = ['fsync', 'synchronous_commit', 'full_page_writes', 'autovacuum'];

/** `url` with another database name. */
export function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

/**
 * Starts an embedded PostgreSQL in a temporary directory, with the migrated template database. `stop` ends it
 * and removes the directory, which also happens if this process is interrupted or ends without it.
 */
export async function startTestServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const playground = await createOpenFolder('pharos-tests-');
  const dataDir = join(playground, 'data');
  await mkdir(dataDir);
  const lines: string[] = [];
  const server = await startEmbeddedPostgres({
    dataDir,
    stagingBase: join(playground, 'staging'),
    log: (line) => lines.push(line),
    upgradeCommand: 'none',
  }).catch(async (error: unknown) => {
    await rm(playground, { recursive: true, force: true });
    throw error;
  });
  const release = guardAgainstLeftovers(server.pid, playground);
  const stop = async () => {
    await server.stop();
    await removeDirectory(playground);
    release();
  };
  try {
    await makeFast(server.url);
    await createTemplate(server.url);
    return { url: server.url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A password costs client and server 8 ms each to check, at every connection, unless it is hashed only once. */
async function makeFast(url: string): Promise<void> {
  const { username, password } = new URL(url);
  await runOn(
    url,
    ...FAST_SETTINGS.map((name) => `ALTER SYSTEM SET ${name} = off`),
    'SELECT pg_reload_conf()',
    'SET scram_iterations = 1',
    `ALTER ROLE ${username} PASSWORD ${escapeLiteral(decodeURIComponent(password))}`,
  );
}

async function createTemplate(url: string): Promise<void> {
  await runOn(url, `CREATE DATABASE ${TEMPLATE_DATABASE}`);
  await migrate({ url: withDatabase(url, TEMPLATE_DATABASE), directory: MIGRATIONS });
  // A template must have no connections while it is copied.
  await runOn(
    url,
    `ALTER DATABASE ${TEMPLATE_DATABASE} WITH ALLOW_CONNECTIONS false IS_TEMPLATE true`,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${TEMPLATE_DATABASE}'`,
  );
}

/** Runs statements sequentially on a new connection. */
export async function runOn(url: string, ...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: url, application_name: 'pharos tests' });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/**
 * Also ends the server and removes the directory when this process is terminated before `stop`: Vitest does
 * not clean up on signals. Returns a function that cancels this.
 */
function guardAgainstLeftovers(pid: number, directory: string): () => void {
  const cleanUp = () => {
    try {
      // Immediate shutdown: the server's child processes end with it.
      process.kill(pid, 'SIGQUIT');
    } catch {}
    rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
  const onInterrupt = () => process.exit(130);
  const onTerminate = () => process.exit(143);
  process.once('exit', cleanUp);
  process.once('SIGINT', onInterrupt);
  process.once('SIGTERM', onTerminate);
  process.once('SIGHUP', onTerminate);
  return () => {
    process.off('exit', cleanUp);
    process.off('SIGINT', onInterrupt);
    process.off('SIGTERM', onTerminate);
    process.off('SIGHUP', onTerminate);
  };
}

function removeDirectory(directory: string): Promise<void> {
  return rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
