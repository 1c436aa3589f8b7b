import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, realpath, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { findFreePort } from '@/lib/core/ports';
import { ensureDataDir } from './data-dir';
import { findRunningPostgres } from './running-server';
import { copyDataDir, query, startInSecondProcess } from './testing/data-dirs';
import { useDataDir } from './testing/use-data-dir';

// Starts after every kind of accident; the others are in start-embedded-postgres.test.ts.

const dirs = useDataDir();

describe('the embedded PostgreSQL server, on its first start', () => {
  it('starts over if the previous start was killed during initdb', async () => {
    await ensureDataDir(dirs.dataDir);
    const first = await startInSecondProcess(dirs.dataDir, join(dirs.playground, 'staging'));
    first.ready.catch(() => {});
    const isHalfway = async () => {
      const unfinished = (await readdir(dirs.dataDir)).find((name) => /^postgres\.new-[0-9a-f]+$/.test(name));
      return unfinished && (await readdir(join(dirs.dataDir, unfinished))).includes('global');
    };
    while (!(await isHalfway())) await sleep(2);
    await first.kill();
    const { url } = await dirs.start();
    expect(await query(url, 'SELECT 1')).toEqual([1]);
    expect((await readdir(dirs.dataDir)).filter((name) => name.startsWith('postgres.new'))).toEqual([]);
  });
});

describe('the embedded PostgreSQL server, on a later start', () => {
  beforeEach(() => dirs.copyTo());

  it('creates the database if a killed start had not', async () => {
    const first = await dirs.start();
    const admin = new URL(first.url);
    admin.pathname = '/postgres';
    await query(admin.href, 'DROP DATABASE pharos');
    await first.stop();
    const { url } = await dirs.start();
    expect(await query(url, 'SELECT current_database()')).toEqual(['pharos']);
  });

  it('ends a backend that survived its killed server and holds its shared memory', async () => {
    const first = await dirs.start();
    // While it computes, it does not notice that its postmaster has ended.
    const stuck = query(first.url, 'SELECT count(*) FROM generate_series(1, 1000000000)').catch(
      () => 'ended',
    );
    await expect
      .poll(
        () => query(first.url, "SELECT count(*)::int FROM pg_stat_activity WHERE query LIKE '%1000000000)'"),
        { interval: 20 },
      )
      .toEqual([1]);
    process.kill(first.pid, 'SIGKILL');
    await first.exited;
    const { url } = await dirs.start();
    expect(await stuck).toBe('ended');
    expect(await query(url, 'SELECT text FROM note')).toEqual(['kept']);
  });

  it('stops the server that a killed supervisor left running, and no other', async () => {
    await dirs.copyTo('other');
    const other = await dirs.start('other');
    const supervisor = await startInSecondProcess(dirs.dataDir, join(dirs.playground, 'staging'));
    const orphan = await supervisor.ready;
    await supervisor.kill();
    const left = await findRunningPostgres(dirs.dataDir);
    expect(
      await query(left?.url ?? '', "INSERT INTO note VALUES ('by the orphan') RETURNING text"),
    ).toHaveLength(1);
    const { url, pid, lines } = await dirs.start();
    expect(lines).toEqual([
      `stopping the PostgreSQL server left running by an earlier start (pid ${orphan})`,
    ]);
    expect(pid).not.toBe(orphan);
    expect(await query(url, 'SELECT text FROM note')).toEqual(['kept', 'by the orphan']);
    expect(await query(other.url, 'SELECT 1')).toEqual([1]);
  });

  it('replaces a stale postmaster.pid whose pid now belongs to another program, which keeps running', async () => {
    const { uid, gid } = await stat(join(dirs.dataDir, 'postgres'));
    const stranger = spawn('sleep', ['60'], { stdio: 'ignore', uid, gid, cwd: '/' });
    await once(stranger, 'spawn');
    const directory = join(dirs.dataDir, 'postgres');
    await writeFile(join(directory, 'postmaster.pid'), `${stranger.pid}\n${directory}\n0\n1\n\n\n\n`);
    const { url } = await dirs.start();
    expect(await query(url, 'SELECT 1')).toEqual([1]);
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
    stranger.kill();
  });

  it('uses another port if the chosen one was taken in the meantime, even by another PostgreSQL', async () => {
    await dirs.copyTo('other');
    const other = await dirs.start('other');
    const taken = Number(new URL(other.url).port);
    const ports = [taken, await findFreePort()];
    const { url } = await dirs.start('data', async () => ports.shift() ?? findFreePort());
    expect(Number(new URL(url).port)).not.toBe(taken);
    expect(await query(url, 'SELECT text FROM note')).toEqual(['kept']);
  });

  it('rejects secrets that do not match the database', async () => {
    await writeFile(join(dirs.dataDir, 'secrets.json'), '{"postgresPassword":"other","secretKey":"other"}');
    await expect(dirs.start()).rejects.toThrow(/the password in secrets.json does not match the database/);
    expect(await findRunningPostgres(dirs.dataDir)).toBeNull();
  });

  it('is not found in a copy of its DATA_DIR', async () => {
    await dirs.start();
    await copyDataDir(dirs.dataDir, join(dirs.playground, 'copy'));
    expect(await readdir(join(dirs.playground, 'copy'))).toContain('runtime.json');
    expect(await findRunningPostgres(join(dirs.playground, 'copy'))).toBeNull();
  });
});

describe.runIf(process.getuid?.() === 0)('the embedded PostgreSQL server, started by root', () => {
  it('keeps the data where that user can reach it when a parent directory is closed, and finds it again', async () => {
    await mkdir(join(dirs.playground, 'closed'), { mode: 0o700 });
    await ensureDataDir(join(dirs.playground, 'closed', 'data'));
    const first = await dirs.start('closed/data');
    const place = await realpath(join(dirs.playground, 'closed', 'data', 'postgres'));
    expect(place).toMatch(/\/staging\/data-[0-9a-f]+$/);
    expect(first.lines.at(-1)).toContain(`the database is stored in ${place}`);
    expect((await stat(join(dirs.playground, 'closed'))).mode & 0o777).toBe(0o700);
    await query(first.url, "CREATE TABLE note AS SELECT 'staged' AS text");
    await first.stop();
    const second = await dirs.start('closed/data');
    expect(await query(second.url, 'SELECT text FROM note')).toEqual(['staged']);
  });

  it('takes over data that root owns, as after a restored backup', async () => {
    await dirs.copyTo();
    const chown = spawn('chown', ['-R', '0:0', dirs.dataDir]);
    await once(chown, 'exit');
    const { url } = await dirs.start();
    expect(await query(url, 'SELECT text FROM note')).toEqual(['kept']);
  });
});
