import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { createOpenFolder } from '@/lib/testing/open-folder';
import { withClient } from '../../db/connections/with-client';
import { startEmbeddedPostgres } from '../start-embedded-postgres';

/** A temporary directory that every user can enter, for DATA_DIRs and staged files. */
export function createPlayground(): Promise<string> {
  return createOpenFolder('embedded-postgres-');
}

/** Removes a playground; a server that was just killed may still be writing into it. */
export function removePlayground(directory: string): Promise<void> {
  return rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

/** Copies a DATA_DIR with its owners and modes, so that a test need not wait for initdb. */
export async function copyDataDir(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', from, to]);
}

export const UPGRADE_COMMAND = 'pharos-upgrade';

/** Starts the server of a DATA_DIR, staging next to it; `lines` collects its log. */
export async function startIn(playground: string, name = 'data', findPort?: () => Promise<number>) {
  const lines: string[] = [];
  const server = await startEmbeddedPostgres({
    dataDir: join(playground, name),
    stagingBase: join(playground, 'staging'),
    log: (line) => lines.push(line),
    upgradeCommand: UPGRADE_COMMAND,
    findPort,
  });
  return { ...server, lines };
}

/** Starts the server from a second process, the supervisor, which then waits to be killed. */
export async function startInSecondProcess(dataDir: string, stagingBase: string) {
  const root = fileURLToPath(new URL('../../../..', import.meta.url));
  const bundle = await build({
    stdin: {
      contents: `
        import { startEmbeddedPostgres } from './lib/platform/postgres';
        const directories = ${JSON.stringify({ dataDir, stagingBase })};
        const { pid } = await startEmbeddedPostgres({ ...directories, log: () => {}, upgradeCommand: '' });
        process.stdout.write(String(pid));
        setInterval(() => {}, 1000);
      `,
      resolveDir: root,
      loader: 'ts',
    },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    alias: { '@': root },
    define: { 'import.meta.url': JSON.stringify(import.meta.url) },
  });
  const child = spawn(process.execPath, ['--input-type=module', '-e', bundle.outputFiles[0]?.text ?? ''], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ready = once(child.stdout, 'data').then(([pid]) => Number(pid));
  return {
    /** Resolves with the server's pid when it accepts connections. */
    ready,
    /** Kills only the supervisor, with SIGKILL. */
    kill: async () => {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}

/** The values of the rows that a query returns. */
export function query(url: string, sql: string): Promise<unknown[]> {
  return withClient({ connectionString: url }, async (client) =>
    (await client.query({ text: sql, rowMode: 'array' })).rows.flat(),
  );
}

/** Whether a process is running. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
