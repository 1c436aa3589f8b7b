import { beforeAll, describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { storeChecks } from '@/lib/domain/monitors/testing/history';
import { ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { useTestDatabase } from '@/lib/testing/database';
import { explain } from '@/lib/testing/explain';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import { spanOf } from './chart-range';
import { phasesQuery, readLastFailures, readPhases } from './read-phases';
import { readLatestChecks } from './read-results';

const DAY = 86_400_000;
const NOW = new Date('2026-03-10T18:00:00.000Z');
const ago = (ms: number) => new Date(NOW.getTime() - ms);

const database = useTestDatabase();
let mine: TestOrganization;

beforeAll(async () => {
  for (let day = 0; day <= 8; day++) await ensureResultPartitions(database.db, ago(day * DAY));
  mine = await createTestOrganization(createTestServices({ db: database.db, clock: createManualClock(NOW) }));
});

/** Checked every 30 s from two regions over `days` until now: the second is slower, and every fifth of its checks fails. */
async function addMonitor(days: number): Promise<string> {
  const input = createMonitorSchema.parse({ name: 'Shop', url: 'https://shop.test' });
  const { id } = await createMonitor(mine.ctx, input);
  if (days === 0) return id;
  await storeChecks(database.db, [id], { since: ago(days * DAY), now: NOW, everySeconds: 30, regions: 2 });
  await database.db.$executeRaw`
    UPDATE raw.check_result
       SET dns = region, connect = 10 * region, tls = 20 * region, first_byte = 30 * region, transfer = 0,
           response_time = 61 * region,
           outcome = CASE WHEN region = 2 AND extract(epoch FROM checked_at)::bigint / 30 % 5 = 0 THEN 1 ELSE 0 END
     WHERE monitor = (SELECT number FROM monitor WHERE id = ${id})`;
  return id;
}

describe('the phases of checks', () => {
  it('are quantiles of successful checks, in total and by region', async () => {
    const id = await addMonitor(1);
    const [all, east, west, ...more] = await readPhases(mine.ctx, id, '24h');
    expect(more).toEqual([]);
    expect(all?.region).toBeNull();
    expect(all?.checks).toBe((east?.checks ?? 0) + (west?.checks ?? 0));
    expect(east).toMatchObject({
      region: 'us-east',
      p50: { dns: 1, connect: 10, tls: 20, firstByte: 30, transfer: 0, responseTime: 61 },
    });
    expect(west).toMatchObject({ region: 'eu-west', p50: { dns: 2, responseTime: 122 }, p95: { dns: 2 } });
    expect(west?.checks).toBeGreaterThan(100);
  });

  it('are empty before the first check and for monitors of other organizations', async () => {
    expect(await readPhases(mine.ctx, await addMonitor(0), '24h')).toEqual([]);
    const other = await createTestOrganization(createTestServices(database));
    expect(await readPhases(other.ctx, await addMonitor(1), '24h')).toEqual([]);
  });

  it('take no more reads for a week than for a day', async () => {
    const id = await addMonitor(8);
    await database.db.$executeRawUnsafe('ANALYZE raw.check_result');
    const { organizationId } = mine.ctx;
    const read = (window: '24h' | '7d') =>
      explain(database.db, phasesQuery({ id, organizationId, span: spanOf(window, NOW) }));
    const [day, week] = [await read('24h'), await read('7d')];
    expect(week.steps.filter(({ type }) => type === 'Seq Scan')).toEqual([]);
    expect(week.pages).toBeLessThan(day.pages * 2);
    expect(week.pages).toBeLessThan(2500);
  });
});

describe('the latest check of each region', () => {
  it('is listed in the order of regions', async () => {
    const id = await addMonitor(1);
    const latest = await readLatestChecks(mine.ctx, id);
    expect(latest.map(({ region, checkedAt }) => [region, checkedAt])).toEqual([
      ['us-east', NOW.toISOString()],
      ['eu-west', NOW.toISOString()],
    ]);
  });
});

describe('the last failed check of each region', () => {
  it('is listed for regions with a failure in the range', async () => {
    const id = await addMonitor(1);
    const failures = await readLastFailures(mine.ctx, id, '1h');
    expect(failures).toEqual([{ region: 'eu-west', at: NOW, error: null }]);
    const before = { since: ago(1000), until: ago(500) };
    expect(await readLastFailures(mine.ctx, id, before)).toEqual([]);
    const other = await createTestOrganization(createTestServices(database));
    expect(await readLastFailures(other.ctx, id, '1h')).toEqual([]);
  });
});
