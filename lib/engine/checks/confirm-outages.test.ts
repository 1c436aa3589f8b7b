import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ProbeResult } from '@/lib/checks/result';
import { createLogger } from '@/lib/core/logger';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { listResults } from '@/lib/domain/monitors/history/read-results';
import { moveSchedules } from '@/lib/domain/monitors/probe-schedules';
import { beginStory, FAILED, OK } from '@/lib/engine/testing/story';
import { createTestEngine } from '@/lib/engine/testing/test-engine';
import { ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import { listen } from '@/lib/platform/db/listen';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { parseInput } from '@/lib/schemas/validation';
import { useTestDatabase } from '@/lib/testing/database';
import { listenLocally } from '@/lib/testing/http-listener';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';

const database = useTestDatabase();
const REGIONS = ['us-east', 'eu-west'] as const;
const log = createLogger('silent', 'test');

/** An operational monitor, checked every minute from two regions, that confirms every ten seconds. */
async function begin(fields: object = {}) {
  const story = await beginStory(database.db);
  const { id } = await story.addMonitor({ regions: [...REGIONS], confirmInterval: 10, ...fields });
  // Its slots are half a minute after each full one, as now.
  await database.db.probeSchedule.updateMany({ where: { monitorId: id }, data: { phase: 5000 } });
  for (const region of REGIONS) await story.check(OK, { region, afterMs: 0 });
  story.clock.advance(90_000);
  return {
    ...story,
    /** How many checks are due in a region now; each of them sees the result. */
    see: (result: ProbeResult, region: string) => story.check(result, { region, afterMs: 0 }),
    monitor: () => getMonitor(story.ctx, id),
    dueAfter: async (seconds: number, region: string) => {
      story.clock.advance(seconds * 1000);
      return (await story.take(region)).length;
    },
  };
}

describe('a first failure', () => {
  it('has every region check at once, then every ten seconds until the threshold is met, and the grid applies again', async () => {
    const { see, monitor, clock, dueAfter } = await begin();
    expect(await see(FAILED, 'us-east')).toBe(1);
    expect([await see(FAILED, 'eu-west'), await see(FAILED, 'us-east')]).toEqual([1, 0]);
    for (const [passed, status] of [
      [9, 'operational'],
      [1, 'operational'],
      [10, 'down'],
    ] as const) {
      clock.advance(passed * 1000);
      const expected = passed === 9 ? 0 : 1;
      for (const region of REGIONS)
        expect(await see(FAILED, region), `${region} after ${passed} s`).toBe(expected);
      expect((await monitor()).status).toBe(status);
    }
    for (const region of REGIONS) expect(await dueAfter(2, region)).toBe(0);
    for (const region of REGIONS) expect(await dueAfter(60, region)).toBe(1);
  });

  it('that is ruled out leaves nothing due before the next slot, also in the regions that were asked', async () => {
    const { see, clock, dueAfter } = await begin();
    await see(FAILED, 'us-east');
    clock.advance(2000);
    expect(await see(OK, 'eu-west')).toBe(1);
    clock.advance(8000);
    expect(await see(OK, 'us-east')).toBe(1);
    // eu-west was due again two seconds later.
    expect(await dueAfter(3, 'eu-west')).toBe(0);
    expect(await dueAfter(60, 'eu-west')).toBe(1);
  });

  it('moves no check without an interval to confirm', async () => {
    const { see, dueAfter } = await begin({ confirmInterval: null });
    expect(await see(FAILED, 'us-east')).toBe(1);
    await see(OK, 'eu-west');
    for (const region of REGIONS) expect(await dueAfter(10, region)).toBe(0);
  });
});

it('a check off the grid whose owner crashes is made by the next owner, once', async () => {
  const { see, take } = await begin();
  await see(FAILED, 'us-east');
  const crashed = await take('eu-west', 'wrk_crashing');
  expect(crashed).toHaveLength(1);
  expect(await see(FAILED, 'eu-west'), 'by another worker').toBe(1);
  expect(await take('eu-west')).toEqual([]);
});

it('a success of a failing region is confirmed likewise', async () => {
  const { see, monitor, clock } = await begin({ alertThreshold: 1, recoveryThreshold: 3 });
  for (const region of REGIONS) await see(FAILED, region);
  expect((await monitor()).status).toBe('down');
  clock.advance(90_000);
  for (let n = 0; n < 3; n += 1) {
    for (const region of REGIONS) expect(await see(OK, region)).toBe(1);
    clock.advance(10_000);
  }
  expect((await monitor()).status).toBe('operational');
});

/** A worker of one region that follows notifications like the worker process. */
function startWorker(region: string) {
  const services = createTestServices({ db: database.db });
  const engine = createTestEngine(services, { workerId: `wrk_${region}` });
  const listening = listen(database.url, ['pharos_checks'], { onNotify: engine.wakeChecks, log });
  engine.startChecks(region);
  onTestFinished(async () => {
    await listening.stop();
    await engine.stop(1000);
  });
}

it('two workers, each with a region, confirm an outage together: the second checks within a second of the first failure', async () => {
  const services = createTestServices({ db: database.db });
  await ensureResultPartitions(database.db, services.clock.now());
  const { ctx } = await createTestOrganization(services);
  let isUp = true;
  let requests = 0;
  const target = await listenLocally(
    createServer((request, response) => {
      requests += 1;
      if (isUp) response.end('ok');
      else request.socket.destroy();
    }),
  );
  onTestFinished(() => target.close());
  for (const region of REGIONS) startWorker(region);
  const input = {
    name: 'Shop',
    url: target.url,
    regions: [...REGIONS],
    alertThreshold: 2,
    confirmInterval: 5,
  };
  const { id } = await createMonitor(ctx, parseInput(createMonitorSchema, { ...input, interval: 300 }));
  const status = async () => (await getMonitor(ctx, id)).status;
  await expect.poll(status).toBe('operational');
  await expect.poll(() => requests).toBe(2);

  isUp = false;
  // What its next slot would do.
  const slot = { id, region: 'us-east', at: new Date() };
  await database.db.$transaction((tx) => moveSchedules(tx, [slot]));
  await expect.poll(status, { interval: 50 }).toBe('down');
  // When the checks began: requests can arrive later, and not all by as much.
  const { items } = await listResults(ctx, id, { outcome: 'failed', limit: 10 });
  const [first = 0, second = 0, third = 0, fourth = 0] = items
    .map(({ checkedAt }) => Date.parse(checkedAt))
    .reverse();
  expect(items).toHaveLength(4);
  expect(second, 'the other worker, at the same time').toBeLessThan(third);
  expect(second).toBeGreaterThanOrEqual(first);
  for (const again of [third - first, fourth - second]) expect(again).toBeGreaterThanOrEqual(5000);
});
