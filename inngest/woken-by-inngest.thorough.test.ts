import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { startTarget, type Target } from '@/lib/testing/target';
import { waitFor } from '@/lib/testing/wait-for';
import { startTestInngest, type TestInngest } from './testing/inngest-server';
import { startWokenWorker } from './testing/woken-worker';

const ALL_APPS = ['pharos', 'probe-ap-southeast', 'probe-eu-west', 'probe-us-east'];
const far = useTestDatabase();
const left = useTestDatabase();
const cut = useTestDatabase();
let target: Target;

beforeAll(async () => {
  target = await startTarget();
});
afterAll(() => target.close());

async function startInngest(): Promise<TestInngest> {
  const inngest = await startTestInngest();
  onTestFinished(inngest.close);
  return inngest;
}

async function startWorker(...args: Parameters<typeof startWokenWorker>) {
  const worker = await startWokenWorker(...args);
  onTestFinished(worker.stop);
  return worker;
}

async function watchIn({ db }: typeof left, regions: string[]) {
  const services = createTestServices({ db });
  const { ctx } = await createTestOrganization(services);
  await createMonitor(ctx, createMonitorSchema.parse({ name: 'Shop', url: target.url, regions }));
  return services;
}

const countResults = async ({ db }: typeof left) => {
  const [row] = await db.$queryRaw<{ count: number }[]>`SELECT count(*)::int AS count FROM raw.check_result`;
  return row?.count;
};

describe('a worker that Inngest wakes', () => {
  it('that only probes, from one region, serves nothing else', async () => {
    const inngest = await startInngest();
    const { url } = await startWorker(far.url, inngest.url, {
      registers: true,
      PROBE_REGIONS: 'eu-west',
      WORKER_DUTIES: 'probe',
    });
    await expect.poll(() => [...inngest.apps.keys()]).toEqual(['probe-eu-west']);
    const statuses = [
      '/api/inngest',
      '/api/inngest/probe-us-east',
      '/api/inngest/probe-eu-west',
      '/api/live',
    ].map(async (path) => (await fetch(url + path)).status);
    expect(await Promise.all(statuses)).toEqual([404, 404, 401, 200]);
  });

  it('registers all its apps where Inngest has synced the first', async () => {
    const inngest = await startInngest();
    const { url } = await startWorker(far.url, inngest.url, { registers: false });
    expect(inngest.apps.size).toBe(0);
    expect(await inngest.sync(`${url}/api/inngest`)).toBe(200);
    await expect.poll(() => [...inngest.apps.keys()].toSorted()).toEqual(ALL_APPS);
    expect(inngest.apps.get('probe-us-east')?.url).toBe(`${url}/api/inngest/probe-us-east`);
  });

  it('needs no other wake to continue checking when its connections were terminated', async () => {
    const inngest = await startInngest();
    await startWorker(cut.url, inngest.url, { registers: true, PROBE_REGIONS: 'us-east' });
    await watchIn(cut, ['us-east']);
    await expect.poll(() => countResults(cut)).toBe(1);
    await cut.db.$transaction(async (tx) => {
      await tx.$executeRaw`LOCK TABLE raw.check_runner IN EXCLUSIVE MODE`;
      const waiting = () => tx.$queryRaw<{ pid: number }[]>`
        SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await waitFor(async () => expect(await waiting()).not.toEqual([]));
      for (const { pid } of await waiting()) await tx.$queryRaw`SELECT pg_terminate_backend(${pid}::int)`;
    });
    await cut.db.probeSchedule.updateMany({ data: { nextCheckAt: new Date() } });
    await expect.poll(() => countResults(cut)).toBe(2);
    const drains = inngest.runs.filter(({ functionId }) => functionId === 'probe-us-east-check-shard');
    expect(drains.map(({ end }) => end)).toEqual(['completed']);
  });

  it('that is not woken runs overdue checks itself, and continues normally when Inngest is back', async () => {
    const inngest = await startInngest();
    inngest.wipe();
    const { url } = await startWorker(left.url, inngest.url, { registers: false, PROBE_REGIONS: 'us-east' });
    await watchIn(left, ['us-east']);
    const longAgo = new Date(Date.now() - 30_000);
    await left.db.probeSchedule.updateMany({ data: { nextCheckAt: longAgo } });
    await expect.poll(() => countResults(left)).toBe(1);
    const health = await fetch(`${url}/health`);
    expect([health.status, (await health.json()).status]).toEqual([200, 'ok']);

    inngest.comeBack();
    await inngest.sync(`${url}/api/inngest/probe-us-east`);
    inngest.tick();
    await expect
      .poll(() => inngest.runs.map(({ functionId }) => functionId))
      .toContain('probe-us-east-check-shard');
    await left.db.probeSchedule.updateMany({ data: { nextCheckAt: new Date() } });
    await expect.poll(() => countResults(left)).toBe(2);
  });
});
