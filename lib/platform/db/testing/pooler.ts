import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { findFreePort } from '@/lib/core/ports';
import { waitFor } from '@/lib/testing/wait-for';

/** Debian's package puts it where a user's PATH does not lead. */
const PROGRAM = '/usr/sbin/pgbouncer';

/** Whether PgBouncer is installed: apt-get install pgbouncer. */
export const hasPooler = spawnSync(PROGRAM, ['--version']).status === 0;

export type Pooler = {
  /** The database, through the pooler. */
  url: string;
  /** Ends it with its connections, and starts it again at the same address. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Starts PgBouncer in front of a database: in transaction mode, with at most `sessions` sessions. It refuses the parameter `options` as
 * it does by default, or ignores it.
 */
export async function startPooler(
  databaseUrl: string,
  { sessions = 3, options = 'refused' }: { sessions?: number; options?: 'refused' | 'ignored' } = {},
): Promise<Pooler> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const directory = await mkdtemp(join(tmpdir(), 'pharos-pooler-'));
  const listenPort = await findFreePort();
  const file = join(directory, 'pgbouncer.ini');
  const server = `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`;
  await writeFile(
    file,
    `[databases]
* = ${server}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${sessions}
max_client_conn = 200
${options === 'ignored' ? 'ignore_startup_parameters = extra_float_digits,options' : ''}
`,
  );
  // It does not run as root.
  await chmod(directory, 0o755);
  const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const url = `postgresql://pharos@127.0.0.1:${listenPort}${pathname}`;
  const launch = async () => {
    const child = spawn(PROGRAM, ['--quiet', ...asUser, file], { stdio: 'ignore' });
    const exited = once(child, 'exit');
    const killAtExit = () => child.kill('SIGKILL');
    process.once('exit', killAtExit);
    const end = async () => {
      process.off('exit', killAtExit);
      child.kill('SIGTERM');
      await exited;
    };
    try {
      await waitFor(() => connectTo(url), { interval: 50 });
      return end;
    } catch (error) {
      await end();
      throw error;
    }
  };
  let end = await launch();
  return {
    url,
    restart: async () => {
      await end();
      end = await launch();
    },
    stop: async () => {
      await end();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function connectTo(connectionString: string): Promise<void> {
  const client = new Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  await client.end();
}
