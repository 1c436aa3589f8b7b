import { rmSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { migrate } from '@/lib/platform/db/migrate';
import { startEmbeddedPostgres } from '@/lib/platform/postgres';

/** The migrated database that every test database is a copy of. */
export const TEMPLATE_DATABASE = 'pharos_template';

const MIGRATIONS = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));

/** Tests lose nothing in a power cut, and wait for the disk a lot. */
const FAST_SETTINGS = ['fsync', 'synchronous_commit', 'full_page_writes', 'autovacuum'];

/** `url` with another database. */
export function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

/**
 * Starts an embedded PostgreSQL in a temporary directory, with the template database migrated. `stop` ends it and removes
 * the directory; should this process be interrupted or end without it, the same happens then.
 */
export async function startTestServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const playground = await mkdtemp(join(tmpdir(), 'pharos-tests-'));
  // The server may run as another user, who has to get through here.
  await chmod(playground, 0o755);
  const dataDir = join(playground, 'data');
  await mkdir(dataDir);
  const lines: string[] = [];
  const server = await startEmbeddedPostgres({
    dataDir,
    stagingBase: join(playground, 'staging'),
    log: (line) => lines.push(line),
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

async function makeFast(url: string): Promise<void> {
  await runOn(
    url,
    ...FAST_SETTINGS.map((name) => `ALTER SYSTEM SET ${name} = off`),
    'SELECT pg_reload_conf()',
  );
}

async function createTemplate(url: string): Promise<void> {
  await runOn(url, `CREATE DATABASE ${TEMPLATE_DATABASE}`);
  await migrate({ url: withDatabase(url, TEMPLATE_DATABASE), directory: MIGRATIONS });
  // Nobody may be connected to a template while it is copied: nor a connection that the migration left open.
  await runOn(
    url,
    `ALTER DATABASE ${TEMPLATE_DATABASE} WITH ALLOW_CONNECTIONS false IS_TEMPLATE true`,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${TEMPLATE_DATABASE}'`,
  );
}

/** Runs statements one by one on a connection of their own. */
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
 * Ends server and directory also when this process is told to end before `stop`: Vitest does not clean up on a signal.
 * Returns what calls that off.
 */
function guardAgainstLeftovers(pid: number, directory: string): () => void {
  const cleanUp = () => {
    try {
      // Immediate shutdown: the server's own children end with it.
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
