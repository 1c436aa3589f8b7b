import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findFreePort } from '@/lib/core/ports';
import { ensureDataDir } from './data-dir';
import { findRunningPostgres } from './running-server';
import {
  copyDataDir,
  createPlayground,
  isAlive,
  query,
  removePlayground,
  startIn,
  startInSecondProcess,
} from './testing/data-dirs';

describe('the embedded PostgreSQL server', () => {
  let template: string;
  let playground: string;
  let dataDir: string;
  const running: { stop(): Promise<void> }[] = [];

  async function start(name = 'data', findPort?: () => Promise<number>) {
    const server = await startIn(playground, name, findPort);
    running.push(server);
    return server;
  }

  // One DATA_DIR that was started, used and stopped, to copy from: initdb takes a second.
  beforeAll(async () => {
    template = await createPlayground();
    await ensureDataDir(join(template, 'data'));
    const server = await startIn(template);
    await query(server.url, 'CREATE TABLE note (text text)');
    await query(server.url, "INSERT INTO note VALUES ('kept')");
    await server.stop();
  });

  beforeEach(async () => {
    playground = await createPlayground();
    dataDir = join(playground, 'data');
  });

  afterEach(async () => {
    await Promise.all(running.splice(0).map((server) => server.stop()));
    await removePlayground(playground);
  });

  afterAll(() => removePlayground(template));

  describe('on its first start', () => {
    it('creates a UTF-8 database that requires the password, only on 127.0.0.1', async () => {
      await ensureDataDir(dataDir);
      const { url, pid } = await start();
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

    it('starts over if the previous start was killed during initdb', async () => {
      await ensureDataDir(dataDir);
      const first = await startInSecondProcess(dataDir, join(playground, 'staging'));
      first.ready.catch(() => {});
      const isHalfway = async () => {
        const unfinished = (await readdir(dataDir)).find((name) => /^postgres\.new-[0-9a-f]+$/.test(name));
        return unfinished && (await readdir(join(dataDir, unfinished))).includes('global');
      };
      while (!(await isHalfway())) await sleep(2);
      await first.kill();
      const { url } = await start();
      expect(await query(url, 'SELECT 1')).toEqual([1]);
      expect((await readdir(dataDir)).filter((name) => name.startsWith('postgres.new'))).toEqual([]);
    });
  });

  describe('on a later start', () => {
    beforeEach(() => copyDataDir(join(template, 'data'), dataDir));

    it('finds its data', async () => {
      const { url, lines } = await start();
      expect(await query(url, 'SELECT text FROM note')).toEqual(['kept']);
      expect(lines).toEqual([]);
    });

    it('creates the database if a killed start had not', async () => {
      const first = await start();
      const admin = new URL(first.url);
      admin.pathname = '/postgres';
      await query(admin.href, 'DROP DATABASE pharos');
      await first.stop();
      const { url } = await start();
      expect(await query(url, 'SELECT current_database()')).toEqual(['pharos']);
    });

    it('recovers after kill -9 of the server, which it reports as not requested', async () => {
      const first = await start();
      await query(first.url, "INSERT INTO note VALUES ('committed')");
      process.kill(first.pid, 'SIGKILL');
      expect(await first.exited).toEqual({ code: null, signal: 'SIGKILL', requested: false });
      const { url } = await start();
      expect(await query(url, 'SELECT text FROM note')).toEqual(['kept', 'committed']);
    });

    it('ends a backend that survived its killed server and holds its shared memory', async () => {
      const first = await start();
      // While it computes, it does not notice that its postmaster has ended.
      const stuck = query(first.url, 'SELECT count(*) FROM generate_series(1, 1000000000)').catch(
        () => 'ended',
      );
      await expect
        .poll(
          () =>
            query(first.url, "SELECT count(*)::int FROM pg_stat_activity WHERE query LIKE '%1000000000)'"),
          { interval: 20 },
        )
        .toEqual([1]);
      process.kill(first.pid, 'SIGKILL');
      await first.exited;
      const { url } = await start();
      expect(await stuck).toBe('ended');
      expect(await query(url, 'SELECT text FROM note')).toEqual(['kept']);
    });

    it('stops the server that a killed supervisor left running, and no other', async () => {
      await copyDataDir(join(template, 'data'), join(playground, 'other'));
      const other = await start('other');
      const supervisor = await startInSecondProcess(dataDir, join(playground, 'staging'));
      const orphan = await supervisor.ready;
      await supervisor.kill();
      const left = await findRunningPostgres(dataDir);
      expect(
        await query(left?.url ?? '', "INSERT INTO note VALUES ('by the orphan') RETURNING text"),
      ).toHaveLength(1);
      const { url, pid, lines } = await start();
      expect(lines).toEqual([
        `stopping the PostgreSQL server left running by an earlier start (pid ${orphan})`,
      ]);
      expect(pid).not.toBe(orphan);
      expect(await query(url, 'SELECT text FROM note')).toEqual(['kept', 'by the orphan']);
      expect(await query(other.url, 'SELECT 1')).toEqual([1]);
    });

    it('replaces a stale postmaster.pid whose pid now belongs to another program, which keeps running', async () => {
      const { uid, gid } = await stat(join(dataDir, 'postgres'));
      const stranger = spawn('sleep', ['60'], { stdio: 'ignore', uid, gid, cwd: '/' });
      await once(stranger, 'spawn');
      const directory = join(dataDir, 'postgres');
      await writeFile(join(directory, 'postmaster.pid'), `${stranger.pid}\n${directory}\n0\n1\n\n\n\n`);
      const { url } = await start();
      expect(await query(url, 'SELECT 1')).toEqual([1]);
      expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
      stranger.kill();
    });

    it('uses another port if the chosen one was taken in the meantime, even by another PostgreSQL', async () => {
      await copyDataDir(join(template, 'data'), join(playground, 'other'));
      const other = await start('other');
      const taken = Number(new URL(other.url).port);
      const ports = [taken, await findFreePort()];
      const { url } = await start('data', async () => ports.shift() ?? findFreePort());
      expect(Number(new URL(url).port)).not.toBe(taken);
      expect(await query(url, 'SELECT text FROM note')).toEqual(['kept']);
    });

    it('runs in a process group of its own, so that Ctrl-C in a terminal does not reach it', async () => {
      const { pid } = await start();
      expect(process.kill(-pid, 0)).toBe(true);
    });

    it('is rejected while the server of the same DATA_DIR is supervised, and leaves that alone', async () => {
      const { url } = await start();
      await expect(start()).rejects.toThrow(new RegExp(`another Pharos \\(pid ${process.pid}\\)`));
      expect(await query(url, 'SELECT 1')).toEqual([1]);
    });

    it('rejects data that it cannot serve, in one line with the reason', async () => {
      await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '16\n');
      await expect(start()).rejects.toThrow(
        /was created by PostgreSQL 16, but this Pharos includes 18: run "pharos upgrade-database", then start again$/,
      );
      await rm(join(dataDir, 'postgres'), { recursive: true });
      await mkdir(join(dataDir, 'postgres'));
      await writeFile(join(dataDir, 'postgres', 'notes.txt'), '');
      await expect(start()).rejects.toThrow(/is not a PostgreSQL data directory: move it away/);
      await rm(join(dataDir, 'postgres'), { recursive: true });
      await symlink(join(playground, 'gone'), join(dataDir, 'postgres'));
      await expect(start()).rejects.toThrow(/is a link to a missing database: restore its target/);
    });

    it('reports the last message of a server that does not start', async () => {
      await writeFile(join(dataDir, 'postgres', 'postgresql.conf'), 'max_connections = none\n');
      await expect(start()).rejects.toThrow(
        /^PostgreSQL failed to start: configuration file ".*" contains errors; see the log \(.*postgres\.log\)$/,
      );
    });

    it('rejects secrets that do not match the database', async () => {
      await writeFile(join(dataDir, 'secrets.json'), '{"postgresPassword":"other","secretKey":"other"}');
      await expect(start()).rejects.toThrow(/the password in secrets.json does not match the database/);
      expect(await findRunningPostgres(dataDir)).toBeNull();
    });
  });

  describe('while it runs', () => {
    beforeEach(() => copyDataDir(join(template, 'data'), dataDir));

    it('can be found by other processes until it stops', async () => {
      expect(await findRunningPostgres(dataDir)).toBeNull();
      const { url, stop } = await start();
      expect(await findRunningPostgres(dataDir)).toEqual({ url });
      await stop();
      expect(await findRunningPostgres(dataDir)).toBeNull();
      expect(await readdir(dataDir)).not.toContain('runtime.json');
    });

    it('keeps everything in DATA_DIR private', async () => {
      await start();
      for (const name of await readdir(dataDir)) {
        expect((await stat(join(dataDir, name))).mode & 0o077, name).toBe(0);
      }
    });

    it('is not found in a copy of its DATA_DIR', async () => {
      await start();
      await copyDataDir(dataDir, join(playground, 'copy'));
      expect(await readdir(join(playground, 'copy'))).toContain('runtime.json');
      expect(await findRunningPostgres(join(playground, 'copy'))).toBeNull();
    });

    it('stops cleanly while clients are connected', async () => {
      const { url, stop, exited } = await start();
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
    });
  });

  describe.runIf(process.getuid?.() === 0)('started by root', () => {
    it('runs as an unprivileged user inside a DATA_DIR that stays closed to others', async () => {
      await copyDataDir(join(template, 'data'), dataDir);
      const { url } = await start();
      const { uid } = await stat(join(dataDir, 'postgres'));
      expect(uid).not.toBe(0);
      expect(await realpath(join(dataDir, 'postgres'))).toBe(join(await realpath(dataDir), 'postgres'));
      expect((await stat(dataDir)).mode & 0o777).toBe(0o710);
      expect(await query(url, 'SELECT 1')).toEqual([1]);
    });

    it('keeps the data where that user can reach it when a parent directory is closed, and finds it again', async () => {
      await mkdir(join(playground, 'closed'), { mode: 0o700 });
      await ensureDataDir(join(playground, 'closed', 'data'));
      const first = await start('closed/data');
      const place = await realpath(join(playground, 'closed', 'data', 'postgres'));
      expect(place).toMatch(/\/staging\/data-[0-9a-f]+$/);
      expect(first.lines.at(-1)).toContain(`the database is stored in ${place}`);
      expect((await stat(join(playground, 'closed'))).mode & 0o777).toBe(0o700);
      await query(first.url, "CREATE TABLE note AS SELECT 'staged' AS text");
      await first.stop();
      const second = await start('closed/data');
      expect(await query(second.url, 'SELECT text FROM note')).toEqual(['staged']);
    });

    it('takes over data that root owns, as after a restored backup', async () => {
      await copyDataDir(join(template, 'data'), dataDir);
      const chown = spawn('chown', ['-R', '0:0', dataDir]);
      await once(chown, 'exit');
      const { url } = await start();
      expect(await query(url, 'SELECT text FROM note')).toEqual(['kept']);
    });
  });
});
