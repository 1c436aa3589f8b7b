import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findFreePort } from '@/lib/core/ports';
import { childEnvironment } from '@/lib/env';
import { withClient } from '@/lib/platform/db/connections/with-client';
import { readGuides } from './testing/read-guides';

const NOBODY = 65_534;
const debian = '/usr/lib/postgresql';
const installed = existsSync(debian) ? readdirSync(debian).map((name) => join(debian, name, 'bin')) : [];
const programs = installed.findLast((folder) => existsSync(join(folder, 'pg_basebackup'))) ?? null;

/** The commands of the guide, in their order: to archive, to back up, to recover. */
const [archive = '', backUp = '', recover = ''] = (
  readGuides().find(({ name }) => name === 'backup.md')?.blocks ?? []
)
  .filter(({ skipped }) => skipped?.startsWith('point-in-time-recovery.test.ts'))
  .map(({ commands }) => commands);

it.skipIf(programs === null)(
  'the commands of docs/operate/backup.md take a PostgreSQL back to a moment (skipped without one of Debian)',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pharos-recovery-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
    chmodSync(folder, 0o755);
    for (const name of ['archive', 'data']) {
      mkdirSync(join(folder, name), { mode: 0o700 });
      if (user.uid !== undefined) chownSync(join(folder, name), NOBODY, NOBODY);
    }
    const [port, data] = [await findFreePort(), join(folder, 'data', 'main')];
    const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
    const env = childEnvironment({
      DATABASE_URL: url,
      PGDATA: data,
      LC_ALL: 'C.UTF-8',
      PATH: `${programs}:/usr/bin:/bin`,
    });
    const run = (commands: string) => {
      const script = `set -eu\n${commands.replaceAll('/archive/', `${folder}/archive/`)}`;
      const options = { ...user, env, cwd: join(folder, 'data'), encoding: 'utf8' } as const;
      const { status, stdout, stderr } = spawnSync('bash', ['-c', script], options);
      expect(status, stdout + stderr).toBe(0);
    };
    const start = `pg_ctl start --wait --log=server.log --options="-p ${port} -h 127.0.0.1 -k ''"`;
    const query = async (text: string) =>
      withClient({ connectionString: url }, async (client) =>
        (await client.query({ text, rowMode: 'array' })).rows.flat(),
      );
    onTestFinished(() => run('pg_ctl stop --mode=immediate || true'));

    run(`initdb --username=postgres --auth=trust --no-sync && ${start}`);
    run(archive);
    run(`pg_ctl stop --mode=fast && ${start}`);
    run(backUp);
    await query("CREATE TABLE note AS SELECT 'kept' AS text");
    const [moment] = await query('SELECT clock_timestamp()::text');
    await query("INSERT INTO note VALUES ('by mistake')");
    run('pg_ctl stop --mode=fast');
    run(recover.replace('2026-11-26 09:15:00+00', String(moment)));
    run(start);
    await expect.poll(() => query('SELECT pg_is_in_recovery()')).toEqual([false]);
    expect(await query('SELECT text FROM note')).toEqual(['kept']);
  },
);
