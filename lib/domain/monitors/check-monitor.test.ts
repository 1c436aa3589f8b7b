import { describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { applyRetention } from '@/lib/engine/upkeep/retention';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { useTestDatabase } from '@/lib/testing/database';
import { explain } from '@/lib/testing/explain';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import { awaitCheck, requestCheck } from './check-monitor';
import { createMonitor } from './create-monitor';
import { listResults, resultsQuery } from './history/read-results';

const NOW = new Date('2026-03-10T18:00:00.000Z');
const DAY = 86_400_000;

const database = useTestDatabase();

async function begin() {
  const clock = createManualClock(NOW);
  const services = createTestServices({ db: database.db, clock });
  const { ctx } = await createTestOrganization(services);
  const addMonitor = async (fields: object = {}, own: TestOrganization['ctx'] = ctx) => {
    const shop = { name: 'Shop', url: 'http://shop.test/', regions: ['us-east', 'eu-west'], ...fields };
    return (await createMonitor(own, createMonitorSchema.parse(shop))).id;
  };
  return { clock, services, ctx, addMonitor };
}

describe('a request for a check', () => {
  it('is refused within 10 seconds of the last, with how long to wait', async () => {
    const { clock, ctx, addMonitor } = await begin();
    const id = await addMonitor();
    await requestCheck(ctx, id);
    clock.advance(3500);
    await expect(requestCheck(ctx, id)).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfter: 7 });
    await requestCheck(ctx, await addMonitor());
    clock.advance(6500);
    await requestCheck(ctx, id);
  });

  it('passes once if several arrive at the same time', async () => {
    const { ctx, addMonitor } = await begin();
    const id = await addMonitor();
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => requestCheck(ctx, id)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await database.db.manualCheck.count({ where: { monitorId: id } })).toBe(2);
  });

  it('is refused while 20 of the organization are pending, not those of others', async () => {
    const { clock, services, ctx, addMonitor } = await begin();
    for (let count = 0; count < 20; count++) await requestCheck(ctx, await addMonitor());
    const refused = requestCheck(ctx, await addMonitor());
    await expect(refused).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfter: 5 });
    const { ctx: other } = await createTestOrganization(services);
    await requestCheck(other, await addMonitor({}, other));
    clock.advance(35_000);
    await requestCheck(ctx, await addMonitor());
  });

  it('is refused for paused monitors, and unknown ones', async () => {
    const { services, ctx, addMonitor } = await begin();
    const paused = await addMonitor({ enabled: false });
    await expect(requestCheck(ctx, paused)).rejects.toMatchObject({ code: 'MONITOR_PAUSED' });
    const { ctx: other } = await createTestOrganization(services);
    const id = await addMonitor();
    await expect(requestCheck(other, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const { id: checkId } = await requestCheck(ctx, id);
    await expect(awaitCheck(other, checkId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

/** Stores the result of a check that was requested a second before. */
async function store(
  monitorId: string,
  { at, region, outcome = 0 }: { at: Date; region: string; outcome?: number },
) {
  const findings = { responseTime: 20, statusCode: 200, errorCode: null, errorMessage: null };
  const phases = { dns: null, connect: 1, tls: null, firstByte: 2, transfer: 0 };
  await database.db.manualCheck.create({
    data: {
      id: `chk_${at.getTime()}`,
      region,
      monitorId,
      requestedAt: new Date(at.getTime() - 1000),
      expiresAt: new Date(at.getTime() + 30_000),
      claimedAt: at,
      finishedAt: at,
      checkedAt: at,
      outcome,
      findings: { ...findings, phases },
    },
  });
}

describe('the results of requested checks', () => {
  it('are listed with those on schedule, each once, in pages and with filters', async () => {
    const { ctx, addMonitor } = await begin();
    const id = await addMonitor();
    const at = (seconds: number) => new Date(NOW.getTime() - seconds * 1000);
    await database.db.$executeRawUnsafe(
      `CREATE TABLE IF NOT EXISTS raw.check_result_20260310 PARTITION OF raw.check_result FOR VALUES FROM ('2026-03-10') TO ('2026-03-11')`,
    );
    for (const seconds of [0, 30, 60]) {
      await database.db.$executeRaw`
        INSERT INTO raw.check_result (checked_at, monitor, region, outcome, response_time)
        SELECT ${at(seconds)}, number, 1, 0, 20 FROM monitor WHERE id = ${id}`;
    }
    // One begins in the same millisecond as one on schedule.
    await store(id, { at: at(30), region: 'us-east' });
    await store(id, { at: at(45), region: 'eu-west', outcome: 1 });
    const listed: string[] = [];
    let cursor: Parameters<typeof listResults>[2]['cursor'];
    for (let pages = 0; pages < 10; pages++) {
      const page = await listResults(ctx, id, { limit: 1, ...(cursor ? { cursor } : {}) });
      listed.push(
        ...page.items.map((each) => `${each.checkedAt.slice(17, 19)} ${each.region} ${each.trigger}`),
      );
      if (page.next === null) break;
      cursor = page.next;
    }
    expect(listed).toEqual([
      '00 us-east schedule',
      '30 us-east manual',
      '30 us-east schedule',
      '15 eu-west manual',
      '00 us-east schedule',
    ]);
    const count = async (query: object) => (await listResults(ctx, id, { limit: 10, ...query })).items.length;
    expect(await count({ trigger: 'manual' })).toBe(2);
    expect(await count({ trigger: 'schedule' })).toBe(3);
    expect(await count({ region: 'eu-west' })).toBe(1);
    expect(await count({ outcome: 'failed' })).toBe(1);
  });

  it('are read from an index, however many there are', async () => {
    const { ctx, addMonitor } = await begin();
    const id = await addMonitor();
    await database.db.$executeRaw`
      INSERT INTO manual_check (id, region, monitor_id, requested_at, expires_at, finished_at, checked_at, outcome, findings)
      SELECT concat('chk_', n), 'us-east', ${id}, at, at, at, at, 0, '{}'
        FROM generate_series(1, 5000) AS n, LATERAL (SELECT ${NOW}::timestamptz - n * interval '10 seconds' AS at) AS moment`;
    await database.db.$executeRawUnsafe('VACUUM ANALYZE manual_check');
    const { steps, pages } = await explain(database.db, resultsQuery(ctx, id, { limit: 50 }));
    const read = steps.filter(({ relation }) => relation === 'manual_check');
    expect(read.map(({ type }) => type)).toEqual(['Index Scan']);
    expect(pages).toBeLessThan(100);
  });

  it('are deleted when raw results are, and with their monitor', async () => {
    const { services, ctx, addMonitor } = await begin();
    const [id, other] = [await addMonitor(), await addMonitor()];
    await store(id, { at: new Date(NOW.getTime() - 8 * DAY), region: 'us-east' });
    await store(id, { at: new Date(NOW.getTime() - 6 * DAY), region: 'us-east' });
    await store(other, { at: new Date(NOW.getTime() - 5 * DAY), region: 'us-east' });
    await applyRetention(services, { rawDays: 7 });
    expect((await listResults(ctx, id, { limit: 10 })).items).toHaveLength(1);
    await database.db.monitor.delete({ where: { id: other } });
    expect(await database.db.manualCheck.count({ where: { monitorId: other } })).toBe(0);
  });
});
