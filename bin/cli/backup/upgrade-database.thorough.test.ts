import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { chmod, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runPharos } from '@/e2e/support/run-pharos';
import { formatCommand } from '@/lib/command-line';
import { readVariable } from '@/lib/env';
import {
  ensureDataDir,
  findBinaries,
  findBinariesIn,
  readOrCreateSecrets,
  startEmbeddedPostgres,
} from '@/lib/platform/postgres';
import { createOpenFolder } from '@/lib/testing/open-folder';

const NOBODY = 65_534;
const OLDEST_MAJOR = 14;
const { major: current } = await findBinaries();

/** Programs of an older PostgreSQL: in the unpacked package at PREVIOUS_POSTGRES, otherwise Debian's. */
const previous = findPrevious();

function findPrevious(): { directory: string; major: string } | null {
  const debian = '/usr/lib/postgresql';
  const installed = existsSync(debian) ? readdirSync(debian).map((name) => join(debian, name)) : [];
  const given = readVariable('PREVIOUS_POSTGRES');
  const candidates = (given === undefined ? installed : [given])
    .filter((directory) => existsSync(join(directory, 'bin', 'postgres')))
    .map((directory) => ({ directory, major: majorOf(directory) }))
    .filter(({ major }) => Number(major) >= OLDEST_MAJOR && major !== current);
  return candidates.at(-1) ?? null;
}

/** From a file of PostgreSQL: its programs may not run before they are completed. */
function majorOf(directory: string): string {
  const sample = ['share/postgresql', 'share'].map((path) => join(directory, path, 'postgres.bki'));
  const shared = [...sample, join('/usr/share/postgresql', basename(directory), 'postgres.bki')];
  const file = shared.find((path) => existsSync(path));
  return file === undefined ? '' : (/^# PostgreSQL (\d+)/.exec(readFileSync(file, 'utf8'))?.[1] ?? '');
}

/** Creates the cluster of a DATA_DIR as an older Pharos would have, as another user if root runs the tests. */
async function createOldCluster(dataDir: string, initdb: string): Promise<void> {
  const { postgresPassword } = await readOrCreateSecrets(dataDir);
  const [cluster, passwordFile] = [join(dataDir, 'postgres'), join(dataDir, 'password')];
  mkdirSync(cluster, { mode: 0o700 });
  writeFileSync(passwordFile, postgresPassword);
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if (user.uid !== undefined) {
    await chmod(dataDir, 0o711);
    for (const path of [cluster, passwordFile]) chownSync(path, NOBODY, NOBODY);
  }
  const words = ['--pgdata', cluster, '--username=pharos', `--pwfile=${passwordFile}`];
  const options = { ...user, cwd: '/', encoding: 'utf8' } as const;
  const { status, stderr } = spawnSync(
    initdb,
    [...words, '--auth=scram-sha-256', '--locale=C.UTF-8'],
    options,
  );
  expect(status, stderr).toBe(0);
}

it.skipIf(previous === null)(
  `the database of an older PostgreSQL (${previous?.major ?? 'none'}) is upgraded (skipped without PREVIOUS_POSTGRES, the path of an unpacked package, or one of Debian)`,
  async () => {
    const { directory, major } = previous ?? { directory: '', major: '' };
    const folder = await createOpenFolder('pharos-upgrade-');
    onTestFinished(() => rm(folder, { recursive: true, maxRetries: 20, retryDelay: 100 }));
    const dataDir = await ensureDataDir(join(folder, 'data'));
    const installed = await findBinariesIn(directory, major);
    await createOldCluster(dataDir, installed.initdb);
    const old = await startEmbeddedPostgres({
      dataDir,
      log: () => undefined,
      upgradeCommand: 'none',
      installed,
    });
    const { secretKey } = await readOrCreateSecrets(dataDir);
    const settings = { DATABASE_URL: old.url, SECRET_KEY: secretKey };
    const created = await runPharos(
      ['org', 'create', '--name', 'Acme', '--email', 'owner@example.com', '--password', 'correct horse'],
      settings,
    );
    await old.stop();
    expect(created.code, created.stderr).toBe(0);

    const refused = await runPharos(['start'], { DATA_DIR: dataDir });
    expect([refused.code, refused.stderr.trim().split('\n').at(-1)]).toEqual([
      1,
      `${join(dataDir, 'postgres')} was created by PostgreSQL ${major}, but this Pharos includes ${current}: run "${formatCommand('upgrade-database')}", then start again`,
    ]);
    const upgraded = await runPharos(['upgrade-database', '--programs', directory], { DATA_DIR: dataDir });
    expect(upgraded.code, upgraded.stderr).toBe(0);
    const kept = join(dataDir, `postgres-${major}`);
    expect(JSON.parse(upgraded.stdout)).toMatchObject({ from: major, to: current, kept });
    expect(await readFile(join(kept, 'PG_VERSION'), 'utf8')).toBe(`${major}\n`);
    const users = await runPharos(['user', 'list'], { DATA_DIR: dataDir });
    expect(JSON.parse(users.stdout)).toMatchObject({
      users: [{ id: JSON.parse(created.stdout).userId, email: 'owner@example.com' }],
    });
    const again = await runPharos(['upgrade-database'], { DATA_DIR: dataDir });
    expect([again.code, again.stderr]).toEqual([
      0,
      `Nothing to upgrade: the database is of PostgreSQL ${current}.\n`,
    ]);
  },
);
