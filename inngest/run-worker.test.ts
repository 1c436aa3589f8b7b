import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { addMonitors, targetUrls } from '@/bench/seed';
import { createLogger } from '@/lib/core/logger';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { parseEnvironment } from '@/lib/env';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { useTestDatabase } from '@/lib/testing/database';
import { startReceiver } from '@/lib/testing/receiver';
import { createTestOrganization, createTestServices, TEST_SECRET_KEY } from '@/lib/testing/services';
import { startTarget, type Target } from '@/lib/testing/target';
import { waitFor } from '@/lib/testing/wait-for';
import { runWorker } from './run-worker';

const apart = useTestDatabase();
const together = useTestDatabase();
const late = useTestDatabase();
const calling = useTestDatabase();
const cut = useTestDatabase();
let target: Target;

beforeAll(async () => {
  target = await startTarget();
});
afterAll(() => target.close());

type TestDatabase = typeof apart;

function startWorker(
  { url }: TestDatabase,
  settings: { PROBE_REGIONS: string; HEARTBEAT_URL?: string },
  options: { heartbeatMs?: number } = {},
): Promise<() => Promise<void>> {
  const environment = parseEnvironment({ DATABASE_URL: url, SECRET_KEY: TEST_SECRET_KEY, ...settings });
  return runWorker(environment, createLogger('silent', 'test'), options);
}

async function beginWatching({ db }: TestDatabase) {
  const services = createTestServices({ db });
  const { ctx } = await createTestOrganization(services);
  return {
    services,
    organizationId: ctx.organizationId,
    /** Creates a monitor that is due once for as long as the test takes. */
    watch: (regions: string[]) =>
      createMonitor(
        ctx,
        createMonitorSchema.parse({ name: 'Shop', url: target.url, regions, interval: 300 }),
      ),
    /** How many results each region has recorded. */
    results: async () => {
      const rows = await db.$queryRaw<{ region: number; count: number }[]>`
        SELECT region, count(*)::int AS count FROM raw.check_result GROUP BY region ORDER BY region`;
      return rows.map(({ region, count }) => [region, count]);
    },
  };
}

const US_EAST = 1;
const EU_WEST = 2;

describe('two workers on one database', () => {
  it('share the work by region, and neither takes the other’s', async () => {
    const { watch, results } = await beginWatching(apart);
    const [stopUs, stopEu] = await Promise.all([
      startWorker(apart, { PROBE_REGIONS: 'us-east' }),
      startWorker(apart, { PROBE_REGIONS: 'eu-west' }),
    ]);
    await watch(['us-east', 'eu-west']);
    await expect.poll(results).toEqual([
      [US_EAST, 1],
      [EU_WEST, 1],
    ]);

    await stopUs();
    await watch(['us-east', 'eu-west']);
    await expect.poll(results).toContainEqual([EU_WEST, 2]);
    expect(await results()).toContainEqual([US_EAST, 1]);
    const owners = await apart.db.$queryRaw`
      SELECT owner FROM raw.shard_lease WHERE region = 'us-east' GROUP BY owner`;
    expect(owners, 'waits for a worker of its region').toEqual([{ owner: null }]);

    const stopUsAgain = await startWorker(apart, { PROBE_REGIONS: 'us-east' });
    await expect.poll(results).toContainEqual([US_EAST, 2]);
    await Promise.all([stopUsAgain(), stopEu()]);
  });

  it('of the same region run each check once', async () => {
    const { watch, results } = await beginWatching(together);
    const stops = await Promise.all([
      startWorker(together, { PROBE_REGIONS: 'us-east' }),
      startWorker(together, { PROBE_REGIONS: 'us-east' }),
    ]);
    for (let made = 0; made < 12; made += 1) await watch(['us-east']);
    await expect.poll(results).toEqual([[US_EAST, 12]]);
    await Promise.all(stops.map((stop) => stop()));
    expect(await results()).toEqual([[US_EAST, 12]]);
  });
});

describe('a worker whose connections were ended while it was saying that it is alive', () => {
  it('checks what is due then', async () => {
    const { watch, results } = await beginWatching(cut);
    const stop = await startWorker(cut, { PROBE_REGIONS: 'us-east' });
    await watch(['us-east']);
    await expect.poll(results).toEqual([[US_EAST, 1]]);
    await cut.db.$transaction(async (tx) => {
      await tx.$executeRaw`LOCK TABLE raw.check_runner IN EXCLUSIVE MODE`;
      const readBackends = () => tx.$queryRaw<{ pid: number; waits: boolean }[]>`
        SELECT pid, wait_event_type IS NOT DISTINCT FROM 'Lock' AS waits FROM pg_stat_activity
         WHERE datname = current_database() AND application_name IN ('pharos worker', 'pharos listen')`;
      await waitFor(async () => expect((await readBackends()).some(({ waits }) => waits)).toBe(true));
      for (const { pid } of await readBackends())
        await tx.$queryRaw`SELECT pg_terminate_backend(${pid}::int)`;
    });
    await watch(['us-east']);
    await expect.poll(results).toEqual([[US_EAST, 2]]);
    await stop();
  });
});

describe('a worker with HEARTBEAT_URL', () => {
  it('calls it while its checks run', async () => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const settings = { PROBE_REGIONS: 'us-east', HEARTBEAT_URL: `${receiver.url}/ping/1` };
    const stop = await startWorker(calling, settings, { heartbeatMs: 50 });
    await expect.poll(() => receiver.requests.length).toBeGreaterThan(1);
    expect(receiver.requests[0]).toMatchObject({ method: 'GET', path: '/ping/1' });
    await stop();
  });
});

describe('a worker that starts after a long downtime', () => {
  it('does not run all overdue checks in one burst', async () => {
    const { watch, results, services, organizationId } = await beginWatching(late);
    const options = { monitors: 120, interval: 300, timeout: 5 };
    await addMonitors(services, organizationId, options, targetUrls({ responding: [target.port] }));
    const stop = await startWorker(late, { PROBE_REGIONS: 'us-east,eu-west' });
    await watch(['eu-west']);
    await expect.poll(results).toContainEqual([EU_WEST, 1]);
    const overdue = async () => (await results()).find(([region]) => region === US_EAST)?.[1] ?? 0;
    await expect.poll(overdue).toBeGreaterThanOrEqual(30);
    await stop();
    const [{ seconds } = { seconds: 0 }] = await late.db.$queryRaw<{ seconds: number }[]>`
      SELECT date_part('epoch', max(checked_at) - min(checked_at)) AS seconds
        FROM raw.check_result WHERE region = ${US_EAST}`;
    // Ten overdue ones a second, and one that falls due.
    expect(await overdue()).toBeLessThan(25 * seconds + 40);
  });
});
