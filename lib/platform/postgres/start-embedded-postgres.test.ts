import { mkdir, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureDataDir } from './data-dir';
import { findRunningPostgres } from './running-server';
import { createPlayground, isAlive, query, removePlayground, startIn } from './testing/data-dirs';

// Starts after accidents: start-embedded-postgres.thorough.test.ts.

type Started = Awaited<ReturnType<typeof startIn>>;

let playground: string;
let dataDir: string;
let server: Started;

beforeAll(async () => {
  playground = await createPlayground();
  dataDir = join(playground, 'data');
  await ensureDataDir(dataDir);
  server = await startIn(playground);
});
afterAll(async () => {
  await server.stop();
  await removePlayground(playground);
});

/** Stops the server and starts it again, on what it finds. */
async function startAgain(): Promise<void> {
  await server.stop();
  server = await startIn(playground);
}

describe('the embedded PostgreSQL server, once it has started', () => {
  it('has created a UTF-8 database that requires the password, only on 127.0.0.1', async () => {
    const { url, pid } = server;
    expect(new URL(url)).toMatchObject({ username: 'pharos', hostname: '127.0.0.1', pathname: '/pharos' });
    expect(await query(url, 'SHOW server_encoding')).toEqual(['UTF8']);
    expect(await query(url, "SELECT lower('É') || (SELECT 'a' > 'B')")).toEqual(['étrue']);
    expect(await query(url, 'SHOW listen_addresses')).toEqual(['127.0.0.1']);
    expect(await query(url, 'SHOW unix_socket_directories')).toEqual(['']);
    expect(await query(url, 'SHOW timezone')).toEqual(['UTC']);
    const methods = await query(url, 'SELECT DISTINCT auth_method FROM pg_hba_file_rules');
    expect(methods).toEqual(['scram-sha-256']);
    const wrong = new URL(url);
    wrong.password = 'wrong';
    await expect(query(wrong.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
    expect(isAlive(pid)).toBe(true);
  });

  it('runs in a process group of its own, so that Ctrl-C in a terminal does not reach it', () => {
    expect(process.kill(-server.pid, 0)).toBe(true);
  });

  it('keeps everything in DATA_DIR private', async () => {
    for (const name of await readdir(dataDir)) {
      expect((await stat(join(dataDir, name))).mode & 0o077, name).toBe(0);
    }
  });

  it.runIf(process.getuid?.() === 0)(
    'runs as an unprivileged user inside a DATA_DIR that stays closed to others, if root started it',
    async () => {
      const { uid } = await stat(join(dataDir, 'postgres'));
      expect(uid).not.toBe(0);
      expect(await realpath(join(dataDir, 'postgres'))).toBe(join(await realpath(dataDir), 'postgres'));
      expect((await stat(dataDir)).mode & 0o777).toBe(0o710);
    },
  );

  it('is not started a second time on the same DATA_DIR, and keeps running', async () => {
    await expect(startIn(playground)).rejects.toThrow(new RegExp(`another Pharos \\(pid ${process.pid}\\)`));
    expect(await query(server.url, 'SELECT 1')).toEqual([1]);
  });

  it('can be found by other processes until it stops, cleanly while clients are connected', async () => {
    const { url, stop, exited } = server;
    expect(await findRunningPostgres(dataDir)).toEqual({ url });
    const waiting = query(url, 'SELECT pg_sleep(60)').catch((error) => error.code);
    await expect
      .poll(() => query(url, "SELECT count(*)::int FROM pg_stat_activity WHERE query LIKE '%sleep(60)'"), {
        interval: 20,
      })
      .toEqual([1]);
    await Promise.all([stop(), stop()]);
    expect(await exited).toEqual({ code: 0, signal: null, requested: true });
    expect(await waiting).toBe('57P01');
    expect(await readFile(join(dataDir, 'postgres.log'), 'utf8')).toContain('database system is shut down');
    expect(await findRunningPostgres(dataDir)).toBeNull();
    expect(await readdir(dataDir)).not.toContain('runtime.json');
  });
});

describe('the embedded PostgreSQL server, on a later start', () => {
  it('finds its data, and recovers after kill -9, which it reports as not requested', async () => {
    await startAgain();
    expect(server.lines).toEqual([]);
    await query(server.url, "CREATE TABLE note AS SELECT 'committed' AS text");
    process.kill(server.pid, 'SIGKILL');
    expect(await server.exited).toEqual({ code: null, signal: 'SIGKILL', requested: false });
    await startAgain();
    expect(await query(server.url, 'SELECT text FROM note')).toEqual(['committed']);
  });

  it('reports the last message of a server that does not start', async () => {
    await server.stop();
    await writeFile(join(dataDir, 'postgres', 'postgresql.conf'), 'max_connections = none\n');
    await expect(startIn(playground)).rejects.toThrow(
      /^PostgreSQL failed to start: configuration file ".*" contains errors; see the log \(.*postgres\.log\)$/,
    );
  });

  it('rejects data that it cannot serve, in one line with the reason', async () => {
    await server.stop();
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '16\n');
    await expect(startIn(playground)).rejects.toThrow(
      /was created by PostgreSQL 16, but this Pharos includes 18: run "pharos-upgrade", then start again$/,
    );
    await rm(join(dataDir, 'postgres'), { recursive: true });
    await mkdir(join(dataDir, 'postgres'));
    await writeFile(join(dataDir, 'postgres', 'notes.txt'), '');
    await expect(startIn(playground)).rejects.toThrow(/is not a PostgreSQL data directory: move it away/);
    await rm(join(dataDir, 'postgres'), { recursive: true });
    await symlink(join(playground, 'gone'), join(dataDir, 'postgres'));
    await expect(startIn(playground)).rejects.toThrow(/is a link to a missing database: restore its target/);
  });
});
