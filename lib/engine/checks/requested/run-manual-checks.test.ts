import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import { createManualClock } from '@/lib/core/time/clock';
import { awaitCheck, requestCheck } from '@/lib/domain/monitors/check-monitor';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { listResults, readLatestChecks } from '@/lib/domain/monitors/history/read-results';
import { readStrips } from '@/lib/domain/monitors/lists/list-overviews';
import type { JudgedCheck } from '@/lib/engine/checks/outage-watch';
import { beginStory, OK } from '@/lib/engine/testing/story';
import { ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { startTarget, type Target } from '@/lib/testing/target';
import { createManualCheckStore } from './manual-check-store';
import { createManualChecks } from './run-manual-checks';

const database = useTestDatabase();
let target: Target;

beforeAll(async () => {
  target = await startTarget();
  await ensureResultPartitions(database.db, new Date());
});
afterAll(() => target.close());

const log = createLogger('silent', 'test');
const pass = { judge: async (_check: JudgedCheck, result: typeof OK) => result };

/** An organization with an enabled monitor of two regions, and workers to serve them. */
async function begin(fields: object = {}) {
  const services = createTestServices(database);
  const { ctx } = await createTestOrganization(services);
  const input = { name: 'Shop', url: target.url, regions: ['us-east', 'eu-west'], ...fields };
  const { id } = await createMonitor(ctx, createMonitorSchema.parse(input));
  const stopping = new AbortController();
  const addWorker = (outageWatch = pass) =>
    createManualChecks({
      clock: services.clock,
      requests: createManualCheckStore(services),
      outageWatch,
      log,
      signal: stopping.signal,
      probeEnvironment: { policy: services.targetPolicy, userAgent: 'Pharos-Monitor/1.0' },
    });
  return { services, ctx, id, addWorker, stop: () => stopping.abort() };
}

const countClaimed = (checkId: string) =>
  database.db.manualCheck.count({ where: { id: checkId, claimedAt: { not: null } } });

describe('a requested check', () => {
  it('has one result from each region, stored and listed as manual', async () => {
    const { ctx, id, addWorker } = await begin();
    target.respondWith(503);
    const requested = await requestCheck(ctx, id);
    expect(requested).toEqual({ id: requested.id, results: [], missing: ['us-east', 'eu-west'] });
    await addWorker().wake(['us-east', 'eu-west']);
    const { results, missing } = await awaitCheck(ctx, requested.id);
    target.respondWith(200);
    expect(missing).toEqual([]);
    expect(results.map(({ region }) => region)).toEqual(['us-east', 'eu-west']);
    const [result] = results;
    expect(result).toMatchObject({
      trigger: 'manual',
      outcome: 'failed',
      statusCode: 503,
      errorCode: 'status',
    });
    const { items } = await listResults(ctx, id, { limit: 10 });
    expect(items).toEqual(expect.arrayContaining(results));
    expect(items).toHaveLength(2);
  });

  it('shows what failed, with the value that an assertion was compared with, and keeps no evidence', async () => {
    const assertions = [{ source: 'status', comparison: 'oneOf', target: ['200-299'] }];
    const { ctx, id, addWorker } = await begin({ regions: ['us-east'], assertions });
    target.respondWith(500);
    const { id: check } = await requestCheck(ctx, id);
    await addWorker().wake(['us-east']);
    const { results } = await awaitCheck(ctx, check);
    target.respondWith(200);
    expect(results).toMatchObject([
      {
        outcome: 'failed',
        statusCode: 500,
        errorCode: 'assertion',
        errorMessage: 'status is 500, expected 200–299',
      },
    ]);
    expect(await database.db.checkEvidence.count({ where: { monitorId: id } })).toBe(0);
  });

  it('runs once, with several workers, each of which serves only its regions', async () => {
    const { ctx, id, addWorker } = await begin();
    const before = target.requestedAt.length;
    const requested = await requestCheck(ctx, id);
    const workers = [addWorker(), addWorker(), addWorker()];
    await Promise.all(workers.map((worker) => worker.wake(['us-east'])));
    expect(await awaitCheck(ctx, requested.id, { region: 'us-east' })).toMatchObject({
      results: [{ region: 'us-east' }],
      missing: [],
    });
    await Promise.all(workers.map((worker) => worker.idle()));
    expect(target.requestedAt.length - before).toBe(1);
    expect(await countClaimed(requested.id)).toBe(1);
  });

  it('names the regions whose worker crashed or does not exist, once its time is over', async () => {
    const clock = createManualClock(new Date());
    const services = createTestServices({ db: database.db, clock });
    const { ctx } = await createTestOrganization(services);
    const shop = { name: 'Shop', url: target.url, timeout: 7, regions: ['us-east', 'eu-west'] };
    const { id } = await createMonitor(ctx, createMonitorSchema.parse(shop));
    const requested = await requestCheck(ctx, id);
    // The worker of one region takes the check, and never comes back.
    await database.db.manualCheck.updateMany({
      where: { id: requested.id, region: 'us-east' },
      data: { claimedAt: clock.now() },
    });
    const response = awaitCheck(ctx, requested.id);
    clock.advance(11_999);
    const early = await Promise.race([response, Promise.resolve('waiting')]);
    expect(early).toBe('waiting');
    clock.advance(1);
    expect(await response).toEqual({ id: requested.id, results: [], missing: ['us-east', 'eu-west'] });
  });

  it('responds to a repeated wait as it did at first, even if a region reports later', async () => {
    const { ctx, id, addWorker } = await begin({ regions: ['us-east'] });
    const { id: checkId } = await requestCheck(ctx, id);
    let release: (() => void) | undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const worker = addWorker({ ...pass, judge: (_host, result) => held.then(() => result) });
    await worker.wake(['us-east']);
    await database.db.manualCheck.updateMany({ where: { id: checkId }, data: { expiresAt: new Date() } });
    expect(await awaitCheck(ctx, checkId)).toMatchObject({ missing: ['us-east'] });
    release?.();
    await worker.idle();
    expect((await listResults(ctx, id, { limit: 10 })).items).toHaveLength(1);
    expect(await awaitCheck(ctx, checkId)).toMatchObject({ results: [], missing: ['us-east'] });
  });

  it('is dropped as unknown if the worker is cut off from its network', async () => {
    const { ctx, id, addWorker } = await begin({ regions: ['us-east'] });
    const { id: checkId } = await requestCheck(ctx, id);
    const judge = vi.fn(async (_check: JudgedCheck, result: typeof OK) => ({
      ...result,
      outcome: 'unknown' as const,
    }));
    await addWorker({ ...pass, judge }).wake(['us-east']);
    expect(await awaitCheck(ctx, checkId)).toMatchObject({ results: [{ outcome: 'unknown' }] });
    expect(judge).toHaveBeenCalledWith(
      expect.objectContaining({ host: '127.0.0.1', startedAt: expect.any(Date) }),
      expect.anything(),
    );
  });

  it('stays without a result on a worker that stops', async () => {
    const { ctx, id, addWorker, stop } = await begin({ regions: ['us-east'], url: 'http://192.0.2.1/' });
    const { id: checkId } = await requestCheck(ctx, id);
    const worker = addWorker();
    await worker.wake(['us-east']);
    stop();
    await worker.idle();
    const row = await database.db.manualCheck.findFirstOrThrow({ where: { id: checkId } });
    expect(row).toMatchObject({ claimedAt: expect.any(Date), finishedAt: null });
  });

  it('stops waiting when the requester has disconnected', async () => {
    const { ctx, id } = await begin();
    const { id: checkId } = await requestCheck(ctx, id);
    const gone = new AbortController();
    const response = awaitCheck(ctx, checkId, { signal: gone.signal });
    gone.abort();
    expect(await response).toMatchObject({ results: [] });
  });
});

it('failed checks that were requested never change a status, the uptime, or what is known of the last check', async () => {
  const story = await beginStory(database.db);
  const { id } = await story.addMonitor({ url: target.url, alertThreshold: 1 });
  await story.check(OK);
  const worker = createManualChecks({
    clock: story.clock,
    requests: createManualCheckStore(story.services),
    outageWatch: pass,
    log,
    signal: new AbortController().signal,
    probeEnvironment: { policy: story.services.targetPolicy, userAgent: 'Pharos-Monitor/1.0' },
  });
  target.respondWith(500);
  for (let round = 0; round < 5; round++) {
    story.clock.advance(10_000);
    const { id: checkId } = await requestCheck(story.ctx, id);
    await worker.wake(['us-east']);
    expect(await awaitCheck(story.ctx, checkId)).toMatchObject({ results: [{ outcome: 'failed' }] });
  }
  target.respondWith(200);
  expect(await readLatestChecks(story.ctx, id)).toMatchObject([{ trigger: 'schedule', outcome: 'ok' }]);
  await story.check(OK);
  expect(await getMonitor(story.ctx, id)).toMatchObject({
    status: 'operational',
    uptimePercentage: 100,
    consecutiveFailures: 0,
    lastResponseTime: OK.responseTime,
  });
  expect(await readStrips(story.ctx, [id])).toEqual({ [id]: 'oo' });
  expect(await database.db.incident.count({ where: { organizationId: story.organizationId } })).toBe(0);
});
