import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { startTarget, type Target } from '@/lib/testing/target';
import { startTestInngest, type TestInngest } from './testing/inngest-server';
import { KEYS } from './testing/sign';
import { startWokenWorker } from './testing/woken-worker';

const ALL_APPS = ['pharos', 'probe-ap-southeast', 'probe-eu-west', 'probe-us-east'];
const whole = useTestDatabase();
const held = useTestDatabase();
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

async function watchIn({ db }: typeof whole, regions: string[]) {
  const services = createTestServices({ db });
  const { ctx } = await createTestOrganization(services);
  await createMonitor(ctx, createMonitorSchema.parse({ name: 'Shop', url: target.url, regions }));
  return services;
}

const countResults = async ({ db }: typeof whole) => {
  const [row] = await db.$queryRaw<{ count: number }[]>`SELECT count(*)::int AS count FROM raw.check_result`;
  return row?.count;
};

describe('a worker that Inngest wakes', () => {
  it('registers one app per region, and runs the checks they are woken for', async () => {
    const inngest = await startInngest();
    const { url } = await startWorker(whole.url, inngest.url, {
      registers: true,
      SMTP_URL: 'smtp://127.0.0.1:9',
    });
    await expect.poll(() => [...inngest.apps.keys()].toSorted()).toEqual(ALL_APPS);
    expect(inngest.apps.get('probe-eu-west')?.url).toBe(`${url}/api/inngest/probe-eu-west`);
    await watchIn(whole, ['us-east', 'eu-west']);
    await expect.poll(() => countResults(whole)).toBe(2);
    const wakes = await whole.db.wake.findMany({ orderBy: { drain: 'asc' } });
    expect(wakes.map(({ drain }) => drain)).toEqual([
      'pharos/deliver-shard',
      'pharos/send-mail',
      'pharos/watch-deadlines',
      'probe-ap-southeast/check-shard',
      'probe-eu-west/check-shard',
      'probe-us-east/check-shard',
    ]);

    const before = inngest.runs.length;
    inngest.tick();
    const perMinute = () => inngest.runs.slice(before).map(({ functionId }) => functionId);
    await expect
      .poll(() => perMinute().toSorted())
      .toEqual([
        'pharos-deliver-shard',
        'pharos-maintain',
        'pharos-send-mail',
        'pharos-sweep',
        'pharos-verify-domains',
        'pharos-watch-deadlines',
        'probe-ap-southeast-check-shard',
        'probe-ap-southeast-sweep',
        'probe-eu-west-check-shard',
        'probe-eu-west-sweep',
        'probe-us-east-check-shard',
        'probe-us-east-sweep',
      ]);
    expect(perMinute().length, 'whatever the number of monitors').toBeLessThanOrEqual(20);
    expect(inngest.runs.map(({ end }) => end).filter((end) => end?.startsWith('failed'))).toEqual([]);
  });

  it('continues a drain until the next one has started, on any worker', async () => {
    const inngest = await startInngest();
    await startWorker(held.url, inngest.url, { registers: true, PROBE_REGIONS: 'us-east' });
    const drains = () => inngest.runs.filter(({ functionId }) => functionId === 'pharos-deliver-shard');
    await expect.poll(() => drains().length).toBe(1);
    const until = new Date(Date.now() + 300);
    await fetch(`${inngest.url}/e/${KEYS.INNGEST_EVENT_KEY}`, {
      method: 'POST',
      body: JSON.stringify([{ id: 'short', name: 'pharos/deliver.shard', data: { until } }]),
    });
    await expect.poll(() => drains().length).toBe(2);
    const drain = () => drains()[1];
    await sleep(until.getTime() + 1500 - Date.now());
    expect(drain()?.end, 'its time is over, and no successor has started').toBeNull();
    const wokenAt = new Date(Date.now() + 60_000);
    await held.db.wake.update({ where: { drain: 'pharos/deliver-shard' }, data: { wokenAt } });
    await expect.poll(() => drain()?.end).toBe('completed');
  });
});
