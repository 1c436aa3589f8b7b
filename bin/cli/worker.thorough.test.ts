import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Worker } from '@/e2e/support/start-worker';
import { systemClock } from '@/lib/core/time/clock';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { listResults } from '@/lib/domain/monitors/history/read-results';
import { createHealth, type Health } from '@/lib/engine/health/health';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { startTarget, type Target } from '@/lib/testing/target';
import { waitUntil } from '@/lib/testing/wait-for';
import { startObservedWorker } from './testing/observed-worker';

const database = useTestDatabase();
const portOf = (server: ReturnType<typeof createServer>) => {
  const address = server.address();
  return typeof address === 'object' ? address?.port : undefined;
};

describe('a worker process', () => {
  let worker: Worker;
  let target: Target;
  let health: Health;

  beforeAll(async () => {
    target = await startTarget();
    health = createHealth({ url: database.url, clock: systemClock, hasInngest: false });
    ({ worker } = await startObservedWorker(database.url));
  });
  afterAll(async () => {
    process.kill(worker.pid, 'SIGCONT');
    await worker.kill();
    await Promise.all([health.close(), target.close()]);
  });

  async function monitorTarget(regions: string[]) {
    const { ctx } = await createTestOrganization(createTestServices({ db: database.db }));
    await createMonitor(ctx, createMonitorSchema.parse({ name: 'Shop', url: target.url, regions }));
  }
  const readDown = async () =>
    (await health.read()).parts.filter(({ status }) => status === 'down').map(({ name }) => name);

  it('that cannot store its results is reported within 30 s, and for at most 15 s after it can', async () => {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    onTestFinished(() => client.end());
    await client.query('BEGIN');
    await client.query('LOCK TABLE raw.check_result IN SHARE MODE');
    await monitorTarget(['us-east']);
    await expect.poll(readDown, { interval: 500 }).toEqual(['recording']);
    await client.query('ROLLBACK');
    await expect.poll(readDown, { interval: 500 }).toEqual([]);
  });

  it('that was stopped during a check repeats it, and reports no failure of the pause', async () => {
    const received: (() => void)[] = [];
    const server = createServer((_, response) => received.push(() => response.end()));
    onTestFinished(() => void server.close());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { ctx } = await createTestOrganization(createTestServices({ db: database.db }));
    const url = `http://127.0.0.1:${portOf(server)}/`;
    const input = createMonitorSchema.parse({ name: 'Shop', url, regions: ['us-east'], timeout: 1 });
    const { id: monitorId } = await createMonitor(ctx, input);
    await waitUntil(() => received.length === 1);
    process.kill(worker.pid, 'SIGSTOP');
    // Two timeouts of the check, which is over when the worker continues.
    await delay(2500);
    received[0]?.();
    process.kill(worker.pid, 'SIGCONT');
    await waitUntil(() => received.length === 2);
    received[1]?.();
    const readOutcomes = async () =>
      (await listResults(ctx, monitorId, { limit: 10 })).items.map(({ outcome }) => outcome);
    await expect.poll(readOutcomes).toEqual(['ok']);
  });

  it('that is stopped is reported within 30 s, and for at most 15 s after it continues', async () => {
    await monitorTarget(['eu-west']);
    await expect.poll(readDown, { interval: 500 }).toEqual([]);
    process.kill(worker.pid, 'SIGSTOP');
    const missing = ['region:eu-west', 'deliveries', 'mail', 'upkeep'];
    await expect.poll(readDown, { interval: 500 }).toEqual(expect.arrayContaining(missing));
    process.kill(worker.pid, 'SIGCONT');
    await expect.poll(readDown, { interval: 500 }).toEqual([]);
  });
});
