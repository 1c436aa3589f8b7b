import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startWorker } from '@/e2e/support/start-worker';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { listAllProbes } from '@/lib/domain/probes/list-probes';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { useTestDatabase } from '@/lib/testing/database';
import { startTarget } from '@/lib/testing/target';
import { startRelay } from './testing/relay';
import { serveProbes } from './testing/serve-probes';

const database = useTestDatabase();
const SOON = { interval: 200 };

it('a probe continues to check while it cannot reach Pharos, and keeps the results over a crash', async () => {
  const { ctx, url, token, services } = await serveProbes(database);
  const spool = await mkdtemp(join(tmpdir(), 'pharos-spool-'));
  onTestFinished(() => rm(spool, { recursive: true, force: true }));
  const target = await startTarget();
  onTestFinished(target.close);
  const headers = { authorization: 'Bearer of-the-target' };
  const input = { name: 'Shop', url: target.url, regions: ['eu-west'], headers };
  const { id } = await createMonitor(ctx, createMonitorSchema.parse(input));
  // Faster than a plan allows.
  await database.db.monitor.update({ where: { id }, data: { interval: 1 } });
  const relay = await startRelay(url);
  const environment = {
    PHAROS_URL: relay.url,
    PHAROS_PROBE_TOKEN: token,
    LOG_LEVEL: 'silent',
    PHAROS_PROBE_SPOOL: spool,
  };
  const probe = await startWorker(environment, 'probe');
  onTestFinished(probe.kill);
  await expect.poll(async () => (await getMonitor(ctx, id)).status, SOON).toBe('operational');

  relay.cut();
  const readSpool = async () => {
    const files = (await readdir(spool, { recursive: true })).filter((name) => name.endsWith('.jsonl'));
    const contents = await Promise.all(files.map((name) => readFile(join(spool, name), 'utf8')));
    return contents.join('');
  };
  const countLines = async () => (await readSpool()).split('\n').length - 1;
  // Those that were on their way, and more.
  await expect.poll(countLines, SOON).toBeGreaterThan(12);
  expect(await readSpool()).not.toContain('of-the-target');
  await probe.kill();
  const kept = await countLines();

  relay.join();
  const next = await startWorker(environment, 'probe');
  onTestFinished(next.kill);
  const readBacklog = async () => (await listAllProbes(services)).map(({ backlog }) => backlog ?? 0);
  await expect.poll(async () => Math.max(...(await readBacklog())), SOON).toBeGreaterThanOrEqual(kept);
  await next.stop();
  expect(await countLines()).toBeGreaterThanOrEqual(kept);
});
