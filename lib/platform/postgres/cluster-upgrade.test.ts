import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { beginUpgrade, completeUpgrade, finishUpgrade, readClusterMajor } from './cluster-upgrade';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'pharos-upgrade-'));
  await writeCluster('postgres', '17');
  await writeFile(join(dataDir, 'secrets.json'), '{"postgresPassword":"same"}');
});
afterEach(() => rm(dataDir, { recursive: true }));

async function writeCluster(name: string, major: string): Promise<void> {
  await mkdir(join(dataDir, name), { recursive: true });
  await writeFile(join(dataDir, name, 'PG_VERSION'), `${major}\n`);
}
const list = async () => (await readdir(dataDir)).toSorted();
const UPGRADED = ['postgres', 'postgres-17', 'secrets.json'];

it('exchanges the clusters, and keeps the old one', async () => {
  const directory = await beginUpgrade(dataDir);
  expect(await readFile(join(directory, 'secrets.json'), 'utf8')).toContain('same');
  await writeCluster('upgrade/postgres', '18');
  expect(await completeUpgrade(dataDir)).toBe(join(dataDir, 'postgres-17'));
  expect([await readClusterMajor(dataDir), await list()]).toEqual(['18', UPGRADED]);
});

it('keeps the old cluster of an earlier upgrade, too', async () => {
  await writeCluster('postgres-17', '17');
  await beginUpgrade(dataDir);
  await writeCluster('upgrade/postgres', '18');
  const kept = await completeUpgrade(dataDir);
  expect(await list()).toEqual(['postgres', 'postgres-17', kept.slice(dataDir.length + 1), 'secrets.json']);
});

it('continues an exchange that was interrupted at any point', async () => {
  for (const step of ['before', 'between', 'after'] as const) {
    await beginUpgrade(dataDir);
    await writeCluster('upgrade/postgres', '18');
    await writeFile(join(dataDir, 'upgrade', 'complete'), 'postgres-17');
    if (step !== 'before') await rename(join(dataDir, 'postgres'), join(dataDir, 'postgres-17'));
    if (step === 'after') await rename(join(dataDir, 'upgrade', 'postgres'), join(dataDir, 'postgres'));
    await finishUpgrade(dataDir);
    expect([step, await readClusterMajor(dataDir), await list()]).toEqual([step, '18', UPGRADED]);
    await rm(join(dataDir, 'postgres'), { recursive: true });
    await rename(join(dataDir, 'postgres-17'), join(dataDir, 'postgres'));
  }
});

it('leaves the old cluster alone while the new one is not complete, and starts over', async () => {
  await beginUpgrade(dataDir);
  await writeCluster('staged', '18');
  await symlink(join(dataDir, 'staged'), join(dataDir, 'upgrade', 'postgres'));
  await finishUpgrade(dataDir);
  expect(await readClusterMajor(dataDir)).toBe('17');
  await beginUpgrade(dataDir);
  expect([await list(), await readdir(join(dataDir, 'upgrade'))]).toEqual([
    ['postgres', 'secrets.json', 'upgrade'],
    ['secrets.json'],
  ]);
});
