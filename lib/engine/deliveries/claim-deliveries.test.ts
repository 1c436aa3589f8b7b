import { describe, expect, it } from 'vitest';
import { replayDelivery } from '@/lib/domain/webhooks/resend-deliveries';
import { releaseAttempts } from '@/lib/engine/runtime/release-claims';
import { beginDeliveryStory, incidentCreated, START } from '@/lib/engine/testing/delivery-story';
import { emitEvents } from '@/lib/notify/emit-events';
import { readMoment } from '@/lib/platform/db/moments';
import { useTestDatabase } from '@/lib/testing/database';
import { explain } from '@/lib/testing/explain';
import { holdBeforeCommit } from '@/lib/testing/races';
import { claimDeliveries } from './claim-deliveries';
import { dueDeliveriesQuery, findDueDeliveries, nextDeliveryAt } from './find-deliveries';

const NOBODY = { url: 'http://127.0.0.1:9', requests: [] };
const database = useTestDatabase();

/** An organization with one endpoint and `count` due deliveries. */
async function beginOwing(count: number) {
  const story = await beginDeliveryStory(database.db, NOBODY);
  const { organizationId, clock } = story;
  const occurredAt = clock.now();
  const event = { organizationId, occurredAt, payload: incidentCreated(occurredAt) };
  await database.db.$transaction((tx) => emitEvents(tx, story.engine.services, Array(count).fill(event)));
  const find = async (depth = 100) => {
    const endpoints = { only: [story.endpoint.id] };
    const { found } = await findDueDeliveries({ db: database.db }, { now: clock.now(), depth, endpoints });
    // Manual attempts are found for every endpoint.
    return found.filter(({ endpointId }) => endpointId === story.endpoint.id);
  };
  return { ...story, services: story.engine.services, find };
}

describe('finding deliveries', () => {
  it('returns a limited number per endpoint, and skips those that have enough', async () => {
    const [first, second] = [await beginOwing(8), await beginOwing(3)];
    const search = async (except: string[]) => {
      const own = [first.endpoint.id, second.endpoint.id];
      const options = { now: START, depth: 5, endpoints: { except: { first: except, retries: except } } };
      const { found } = await findDueDeliveries({ db: database.db }, options);
      return own.map((id) => found.filter(({ endpointId }) => endpointId === id).length);
    };
    expect(await search([])).toEqual([5, 3]);
    expect(await search([first.endpoint.id])).toEqual([0, 3]);
  });

  it('skips the backlog of one endpoint to reach another’s, by index', async () => {
    const [hanging, other] = [await beginOwing(4000), await beginOwing(1)];
    await database.db.$executeRaw`ANALYZE delivery`;
    const search = {
      now: START,
      depth: 100,
      endpoints: { except: { first: [hanging.endpoint.id], retries: [] } },
    };
    const { steps, pages } = await explain(database.db, dueDeliveriesQuery(search));
    expect(steps.filter(({ relation, index }) => relation === 'delivery' && index === null)).toEqual([]);
    expect(pages).toBeLessThan(60);
    const { found } = await findDueDeliveries({ db: database.db }, search);
    expect(found.map(({ endpointId }) => endpointId)).toContain(other.endpoint.id);
    await database.db.delivery.deleteMany({ where: { endpointId: hanging.endpoint.id } });
  });

  it('puts manual attempts first', async () => {
    const story = await beginOwing(3);
    const last = (await story.find()).at(-1)?.id ?? '';
    await replayDelivery(story.ctx, last);
    const found = await story.find();
    expect(found[0]).toMatchObject({ id: last, endpointId: story.endpoint.id, manual: true });
    expect(found).toHaveLength(3);
  });

  it('finds first attempts regardless of the number of due retries, with a limit per kind', async () => {
    const story = await beginOwing(9);
    const ids = (await story.find()).map(({ id }) => id);
    await database.db.delivery.updateMany({
      where: { id: { in: ids.slice(0, 7) } },
      data: { failures: 1, nextAttemptAt: new Date(START.getTime() - 60_000) },
    });
    const found = await story.find(5);
    expect(found.map(({ isRetry }) => isRetry)).toEqual([false, false, true, true, true, true, true]);
    expect(
      found
        .slice(0, 2)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(ids.slice(7).toSorted());
    const retriesAlone = {
      now: START,
      depth: 5,
      endpoints: { except: { first: [story.endpoint.id], retries: [] } },
    };
    const { found: retries } = await findDueDeliveries({ db: database.db }, retriesAlone);
    const own = retries.filter(({ endpointId }) => endpointId === story.endpoint.id);
    expect(own.map(({ isRetry }) => isRetry)).toEqual([true, true, true, true, true]);
  });

  it('returns when the next one falls due', async () => {
    const story = await beginDeliveryStory(database.db, NOBODY);
    const { services } = story.engine;
    expect(await readMoment(services.db, nextDeliveryAt(new Date(START.getTime() + 1)))).toBeNull();
    const before = new Date(START.getTime() - 1);
    await story.emit();
    expect(await readMoment(services.db, nextDeliveryAt(before))).toEqual(START);
  });
});

describe('claiming deliveries', () => {
  it('writes the attempt before anything is sent, and keeps others away until the lease expires', async () => {
    const story = await beginOwing(2);
    const candidates = await story.find();
    const claim = () => claimDeliveries(story.services, { candidates, workerId: 'wrk_a' });
    const claimed = await claim();
    expect(claimed.map(({ id }) => id)).toEqual(candidates.map(({ id }) => id));
    expect(claimed[0]?.endpoint).toMatchObject({ url: story.endpoint.url, enabled: true });
    const attempt = await database.db.deliveryAttempt.findFirst({ where: { id: claimed[0]?.attemptId } });
    expect(attempt).toMatchObject({ number: 1, startedAt: START, finishedAt: null });
    expect(await story.find()).toEqual([]);
    expect(await claim()).toEqual([]);
    story.clock.advance(40_001);
    expect((await claim()).map((delivery) => delivery.attempt)).toEqual([2, 2]);
    const { attemptLog } = await story.delivery();
    expect(attemptLog, 'the record of a dead worker’s attempt ends with the next').toMatchObject([
      { number: 1, finishedAt: story.clock.now(), error: expect.stringContaining('interrupted') },
      { number: 2, finishedAt: null, error: null },
    ]);
  });

  it('lets workers claim at the same time without claiming anything twice', async () => {
    const story = await beginOwing(100);
    const candidates = await story.find();
    const claim = (workerId: string, { db = database.db, from = 0 } = {}) =>
      claimDeliveries({ ...story.services, db }, { candidates: candidates.slice(from), workerId });
    const first = await holdBeforeCommit(database.db, (db) => claim('wrk_a', { db, from: 60 }));
    const second = await claim('wrk_b');
    expect(await claim('wrk_c'), 'nothing is left, and nobody waits').toEqual([]);
    const ids = [...(await first.release()), ...second].map(({ id }) => id);
    expect(second).toHaveLength(60);
    expect(ids).toHaveLength(100);
    expect(new Set(ids).size).toBe(100);
  });

  it('claims no candidate that was completed, or manually requested, since it was found', async () => {
    const story = await beginOwing(3);
    const candidates = await story.find();
    const [settled, asked, left] = candidates.map(({ id }) => id);
    await database.db.delivery.update({
      where: { id: settled },
      data: { status: 'delivered', nextAttemptAt: null },
    });
    await replayDelivery(story.ctx, asked ?? '');
    const claimed = await claimDeliveries(story.services, { candidates, workerId: 'wrk_a' });
    expect(claimed.map(({ id }) => id)).toEqual([left]);
  });

  it('released before sending leave no attempt, and are due immediately', async () => {
    const story = await beginOwing(2);
    const claim = async (workerId: string) =>
      claimDeliveries(story.services, { candidates: await story.find(), workerId });
    const [first, second] = await claim('wrk_a');
    if (!first || !second) throw new Error('two deliveries were due');
    // The second lease expired, and another worker claimed it.
    const candidates = [{ id: second.id, manual: false }];
    story.clock.advance(40_001);
    const [taken] = await claimDeliveries(story.services, { candidates, workerId: 'wrk_b' });
    await releaseAttempts(story.services, [first, second]);

    const rows = await database.db.delivery.findMany({
      where: { id: { in: [first.id, second.id] } },
      include: { attemptLog: true },
      orderBy: { number: 'asc' },
    });
    expect(rows).toMatchObject([
      { attempts: 0, failures: 0, claimedBy: null, leaseUntil: null, attemptLog: [] },
      { attempts: 2, failures: 0, claimedBy: 'wrk_b', attemptLog: [{ id: taken?.attemptId, number: 2 }] },
    ]);
    expect((await claim('wrk_a')).map(({ id, attempt }) => [id, attempt])).toEqual([[first.id, 1]]);
  });
});
