import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { createIncident } from '@/lib/domain/incidents/create-incident';
import { listIncidentsOfMonitor } from '@/lib/domain/incidents/read-incidents';
import { createMarker } from '@/lib/domain/markers/create-marker';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { storeChecks, writeLedger, writePeriods } from '@/lib/domain/monitors/testing/history';
import { ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import { createIncidentSchema } from '@/lib/schemas/incidents/incident';
import { createMonitorSchema, type Monitor } from '@/lib/schemas/monitor';
import { createMarkerSchema } from '@/lib/schemas/monitor/marker';
import { monitorViewSchema } from '@/lib/schemas/monitor/monitor-view';
import { CHART_WINDOWS } from '@/lib/schemas/monitor/stats';
import { createTestDatabase, type TestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import { openCountingDatabase } from '@/lib/testing/statements';
import { readPageData } from './page-data';

const DAY = 86_400_000;
const NOW = new Date('2026-03-10T18:00:00.000Z');
const MINUTE = 60_000;
const ago = (ms: number) => new Date(NOW.getTime() - ms);
const SINCE = ago(DAY);

let database: TestDatabase;
let mine: TestOrganization;
let counting: ReturnType<typeof openCountingDatabase>;
let quiet: Monitor;
let busy: Monitor;

beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  for (const day of [SINCE, NOW]) await ensureResultPartitions(db, day);
  mine = await createTestOrganization(createTestServices({ db, clock: createManualClock(NOW) }));
  counting = openCountingDatabase(database.url);
  [quiet, busy] = [await addMonitor(), await addBusyMonitor()];
});
afterAll(async () => {
  await counting.db.$disconnect();
  await database.close();
});

const addMonitor = () =>
  createMonitor(mine.ctx, createMonitorSchema.parse({ name: 'Shop', url: 'http://shop.test' }));

const read = (monitor: Monitor, query: Record<string, string> = {}) =>
  readPageData({ ...mine.ctx, db: counting.db }, monitor, monitorViewSchema.parse(query));

/** A monitor with checks every 30 s from three regions, a state change every half hour, and incidents. */
async function addBusyMonitor(): Promise<Monitor> {
  const monitor = await addMonitor();
  await storeChecks(database.db, [monitor.id], { since: SINCE, now: NOW, everySeconds: 30, regions: 3 });
  await writeLedger(database.db, [monitor.id], { since: SINCE, now: NOW, changes: 50 });
  for (let n = 0; n < 10; n++) {
    const input = { title: `Incident ${n}`, affectedMonitors: [monitor.id] };
    await createIncident(mine.ctx, createIncidentSchema.parse(input));
  }
  return monitor;
}

describe('what the page of a monitor shows at first', () => {
  it('is bounded, however much there is', async () => {
    const data = await read(busy);
    expect(data.incidents).toHaveLength(8);
    expect(data.latest).toHaveLength(3);
    expect(data.overview.regions).toHaveLength(3);
  });

  it.each(CHART_WINDOWS)(
    'takes one statement over %s, and at most two more without results',
    async (window) => {
      expect(await counting.count(() => read(busy, { window }))).toBe(1);
      expect(await counting.count(() => read(quiet, { window }))).toBeLessThanOrEqual(4);
    },
  );

  it('takes six more while it is down: failures in the chart, edits, deliveries, emails, and what kept them back', async () => {
    const monitor = { ...busy, status: 'down' as const };
    await database.db.$executeRaw`
      UPDATE raw.check_result SET outcome = 1, response_time = NULL
       WHERE monitor = (SELECT number FROM monitor WHERE id = ${monitor.id}) AND checked_at > ${ago(MINUTE)}`;
    await writePeriods(database.db, monitor.id, [
      { state: 'operational', from: SINCE },
      { state: 'down', from: ago(MINUTE) },
    ]);
    const { items } = await listIncidentsOfMonitor(mine.ctx, monitor.id, 1);
    await database.db.incident.update({
      where: { id: items[0]?.id ?? '' },
      data: { monitorId: monitor.id, automatic: true },
    });
    for (let n = 0; n < 60; n++) {
      await createMarker(mine.ctx, createMarkerSchema.parse({ title: `Deploy ${n}` }));
    }
    let data: Awaited<ReturnType<typeof read>> | undefined;
    const statements = await counting.count(async () => {
      data = await read(monitor);
    });
    expect(statements).toBe(7);
    expect(data?.overview.window, 'it fits the outage').toBe('1h');
    expect(data?.overview.marks?.length).toBeGreaterThan(0);
    expect(data?.problem).toMatchObject({ since: ago(MINUTE), notified: { endpoints: [], members: [] } });
    expect(data?.problem?.markers).toHaveLength(50);
    expect(data?.problem?.edits).toMatchObject([{ action: 'monitor.create', fields: [] }]);
  });
});
