import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findBinaries } from '@/lib/platform/postgres';
import { callPharos } from '../testing/call-pharos';
import { PACKAGES } from './install-programs';

const { major: current, version } = await findBinaries();

it('refuses programs of another version, and leaves the database alone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pharos-upgrade-'));
  onTestFinished(() => rm(folder, { recursive: true, maxRetries: 20, retryDelay: 100 }));
  const cluster = join(folder, 'postgres');
  mkdirSync(cluster);
  writeFileSync(join(cluster, 'PG_VERSION'), '17\n');
  const { directory } = await findBinaries();
  const { code, stderr } = await callPharos(['upgrade-database', '--programs', directory], {
    DATA_DIR: folder,
  });
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      /^.* does not contain the programs of PostgreSQL 17: postgres \(PostgreSQL\) 18\.\d+\n$/,
    ),
  ]);
  expect(readdirSync(cluster)).toEqual(['PG_VERSION']);
});

it('knows the package of the version that Pharos includes, for the day when it includes another', () => {
  expect(PACKAGES[current]).toBe(version);
});
