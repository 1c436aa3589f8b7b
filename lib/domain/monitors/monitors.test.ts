import { describe, expect, it } from 'vitest';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { nextSlot, SHARDS, SLOTS_PER_SHARD, schedulePlace } from '@/lib/state/schedule-grid';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { createMonitor } from './create-monitor';
import { getMonitor } from './find-monitor';
import { uptimePercentage } from './history/uptime';
import { updateMonitor } from './update-monitor';

const database = useSharedDatabase();
const input = (fields: object = {}) =>
  createMonitorSchema.parse({ name: 'Shop', url: 'http://shop.test/', ...fields });

async function begin(plan: 'free' | 'enterprise' = 'enterprise') {
  const { ctx, organizationId } = await createTestOrganization(createTestServices({ db: database.db }), {
    plan,
  });
  return { ctx, organizationId };
}

describe('creating monitors', () => {
  it('stops exactly at the limit of the plan, even with concurrent requests', async () => {
    const { ctx, organizationId } = await begin('free');
    for (let created = 0; created < 45; created++) await createMonitor(ctx, input());
    const attempts = Array.from({ length: 20 }, () => createMonitor(ctx, input()));
    const outcomes = await Promise.allSettled(attempts);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected')
        expect(outcome.reason).toMatchObject({ code: 'PLAN_LIMIT_EXCEEDED' });
    }
    expect(await database.db.monitor.count({ where: { organizationId } })).toBe(50);
  });

  it('returns the monitor as it was created, pending, even if a worker has checked it before the response', async () => {
    const { ctx, organizationId } = await begin();
    const commit: typeof database.db.$transaction = async (...work: [never]) => {
      const committed = await database.db.$transaction(...work);
      await database.db.monitorState.updateMany({
        where: { monitor: { organizationId } },
        data: { status: 'operational' },
      });
      return committed;
    };
    const db = Object.create(database.db, { $transaction: { value: commit } });
    expect(await createMonitor({ ...ctx, db }, input())).toMatchObject({ status: 'pending' });
  });

  it('stores headers and body encrypted and returns them in clear text', async () => {
    const { ctx } = await begin();
    const request = { method: 'POST', headers: { Authorization: 'Bearer t0ken' }, body: 'pa55word' };
    const { id } = await createMonitor(ctx, input(request));
    expect(await getMonitor(ctx, id)).toMatchObject(request);
    const rows = await database.db.$queryRaw<{ text: string }[]>`
      SELECT encode(headers_sealed, 'escape') || encode(body_sealed, 'escape') || monitor::text AS text FROM monitor WHERE id = ${id}`;
    expect(rows[0]?.text).not.toMatch(/t0ken|pa55word/);
  });
});

describe('changing a monitor', () => {
  it('keeps its state if only alerting changes, and resets it if the probe settings change', async () => {
    const { ctx } = await begin();
    const { id } = await createMonitor(ctx, input());
    const versionOf = async () =>
      (await database.db.monitor.findUniqueOrThrow({ where: { id } })).configVersion;
    await updateMonitor(ctx, id, { name: 'Store', alertThreshold: 5, tags: ['a'] });
    expect(await versionOf()).toBe(1);
    await updateMonitor(ctx, id, { headers: { 'X-A': '1' } });
    expect(await versionOf()).toBe(2);
    await updateMonitor(ctx, id, { headers: { 'X-A': '1' } });
    expect(await versionOf()).toBe(2);
  });

  it('applies a changed interval and regions to the schedule immediately', async () => {
    const { ctx } = await begin();
    const { id } = await createMonitor(ctx, input({ interval: 300, regions: ['us-east'] }));
    await database.db.probeSchedule.updateMany({
      where: { monitorId: id },
      data: { nextCheckAt: new Date(Date.now() + 290_000) },
    });
    await updateMonitor(ctx, id, { interval: 30 });
    const [schedule] = await database.db.probeSchedule.findMany({ where: { monitorId: id } });
    expect(schedule?.nextCheckAt.getTime()).toBeLessThan(Date.now() + 46_000);
    await updateMonitor(ctx, id, { regions: ['eu-west', 'ap-southeast'] });
    const regions = await database.db.probeSchedule.findMany({
      where: { monitorId: id },
      select: { region: true },
    });
    expect(regions.map(({ region }) => region).toSorted()).toEqual(['ap-southeast', 'eu-west']);
  });
});

describe('the grid of checks', () => {
  it('follows the interval without drift, at least half an interval ahead', () => {
    const { phase } = schedulePlace('mon_1', 'us-east');
    let last = nextSlot(Date.parse('2026-01-01T00:00:00.000Z'), 60_000, phase);
    for (let check = 0; check < 1000; check++) {
      const now = last + (check % 29) * 1000;
      const next = nextSlot(now, 60_000, phase);
      expect(next - last).toBe(60_000);
      last = next;
    }
  });

  it('spreads monitors evenly over the interval and over the shards', () => {
    const places = Array.from({ length: 2000 }, (_, index) => schedulePlace(`mon_${index}`, 'us-east'));
    for (let tenth = 0; tenth < 10; tenth++) {
      const inTenth = places.filter(({ phase }) => Math.floor(phase / 1000) === tenth).length;
      expect(inTenth).toBeGreaterThan(140);
      expect(inTenth).toBeLessThan(260);
    }
    for (let shard = 0; shard < SHARDS; shard++) {
      const inShard = places.filter(({ slot }) => Math.floor(slot / SLOTS_PER_SHARD) === shard).length;
      expect(inShard).toBeGreaterThan(80);
      expect(inShard).toBeLessThan(170);
    }
  });
});

describe('uptime', () => {
  it.each([
    [1000, 0, 100],
    [1_000_000_000, 1, 99.99],
    [10_000, 5, 99.95],
    [3, 1, 66.66],
    [1000, 1000, 0],
  ])('of %i ms known and %i ms down is %f %%, truncated and never rounded up', (known, down, percent) => {
    expect(uptimePercentage(known, down)).toBe(percent);
  });

  it('of no known time is unknown', () => {
    expect(uptimePercentage(0, 0)).toBeNull();
  });
});
