import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { uptimeQuery } from '@/lib/domain/monitors/history/uptime';
import { readSilences } from '@/lib/domain/monitors/silence';
import { copyMonitor, storeChecks, writeLedger, writePeriods } from '@/lib/domain/monitors/testing/history';
import { addPage } from '@/lib/domain/status-pages/testing/pages';
import { ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { reportExportSchema, reportQuerySchema } from '@/lib/schemas/reports/report';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import { exportReport } from './export-report';
import { MAX_OUTAGES, readReport } from './read-report';

const HOUR = 3_600_000;
const NOW = new Date('2026-11-03T12:00:00.000Z');
const OCTOBER = new Date('2026-10-01T00:00:00.000Z');
const at = (hour: number) => new Date(OCTOBER.getTime() + hour * HOUR);

const database = useTestDatabase();
const clock = createManualClock(NOW);
let mine: TestOrganization;

beforeAll(async () => {
  mine = await organize();
  for (const day of [at(-3), at(0)]) await ensureResultPartitions(database.db, day);
});

const organize = () => createTestOrganization(createTestServices({ db: database.db, clock }));

async function addMonitor(fields: { name: string; tags?: string[] }, { ctx } = mine) {
  return createMonitor(ctx, createMonitorSchema.parse({ url: 'http://shop.test', ...fields }));
}

const report = (query: Record<string, string> = {}, { ctx } = mine) =>
  readReport(ctx, reportQuerySchema.parse(query));

const WHY = {
  rule: 'quorum',
  regions: [
    { region: 'eu-west', verdict: 'good', failures: 0, slows: 0, goods: 9, vote: true, error: null },
    {
      region: 'us-east',
      verdict: 'failing',
      failures: 3,
      slows: 0,
      goods: 0,
      vote: true,
      error: { code: 'status', message: 'status is 500, expected 200–299' },
    },
  ],
};

describe('a report', () => {
  it('lists each outage with its cause, its incident, and how much of it is within', async () => {
    const own = await organize();
    const { id } = await addMonitor({ name: 'Shop' }, own);
    await writePeriods(database.db, id, [
      { state: 'down', from: at(-2) },
      { state: 'operational', from: at(1) },
      { state: 'down', from: at(100), why: WHY },
      { state: 'operational', from: at(103) },
      { state: 'down', from: at(743) },
    ]);
    const [incident] = await database.db.$queryRaw<{ id: string }[]>`
      INSERT INTO incident (id, organization_id, title, description, status, severity, automatic, monitor_id, affected_monitors,
                            started_at, created_at, updated_at, resolved_at)
      VALUES (${`inc_${id}`}, ${own.organizationId}, 'Shop is down', '', 'resolved', 'critical', true, ${id}, ${[id]},
              ${at(100)}, ${at(100)}, ${at(103)}, ${at(103)}) RETURNING id`;
    const { outages, total, from, to } = await report({}, own);
    expect([from, to]).toEqual([OCTOBER.toISOString(), '2026-11-01T00:00:00.000Z']);
    expect(outages).toEqual([
      {
        monitorId: id,
        startedAt: at(743).toISOString(),
        endedAt: null,
        downMs: HOUR,
        cause: null,
        incidentId: null,
      },
      {
        monitorId: id,
        startedAt: at(100).toISOString(),
        endedAt: at(103).toISOString(),
        downMs: 3 * HOUR,
        cause: 'status is 500, expected 200–299',
        incidentId: incident?.id,
      },
      {
        monitorId: id,
        startedAt: at(-2).toISOString(),
        endedAt: at(1).toISOString(),
        downMs: HOUR,
        cause: null,
        incidentId: null,
      },
    ]);
    expect(total).toMatchObject({ monitors: 1, outages: 3, downMs: 5 * HOUR, longestOutageMs: 3 * HOUR });
  });

  it('equals the ledger of every monitor', async () => {
    const own = await organize();
    const { id } = await addMonitor({ name: 'Shop' }, own);
    const ids = [id, ...(await copyMonitor(database.db, id, 20))];
    await writeLedger(database.db, ids, { since: at(-500), now: at(700), changes: 333 });
    const now = clock.now();
    const silences = await readSilences(database.db, ids, now);
    const span = { since: at(0), until: at(744) };
    const sums = await database.db.$queryRaw<{ id: string; known: number[]; down: number[] }[]>(
      uptimeQuery(ids, [span], { now, silences }),
    );
    const ledger = sums.map(({ id: monitorId, known, down }) => ({
      monitorId,
      knownMs: known[0],
      downMs: down[0],
    }));
    const { monitors } = await report({}, own);
    const byId = <Line extends { monitorId: string }>(lines: Line[]) =>
      lines.sort((a, b) => (a.monitorId < b.monitorId ? -1 : 1));
    const counted = monitors.map(({ monitorId, knownMs, downMs }) => ({ monitorId, knownMs, downMs }));
    expect(byId(counted)).toEqual(byId(ledger));
    expect(counted).toHaveLength(21);
  });

  it('has the response times of the checks within', async () => {
    const own = await organize();
    const { id } = await addMonitor({ name: 'Shop' }, own);
    await storeChecks(database.db, [id], { since: at(0), now: at(2), everySeconds: 60, regions: 2 });
    await storeChecks(database.db, [id], { since: at(-3), now: at(-1), everySeconds: 60, regions: 1 });
    const [line] = (await report({}, own)).monitors;
    expect(line).toMatchObject({ checks: 242, failures: 0 });
    expect(line?.responseTime.p50).toBeGreaterThan(40);
    expect(line?.responseTime.p99).toBeLessThan(110);
    const [none] = (await report({ month: '2026-08' }, own)).monitors;
    expect(none).toMatchObject({ checks: 0, responseTime: { p50: null, p95: null, p99: null } });
  });

  it('is of all monitors by name, or of those with a tag', async () => {
    const own = await organize();
    for (const [name, tags] of [
      ['web', ['shop']],
      ['API', []],
      ['Cart', ['shop']],
    ] as const) {
      await addMonitor({ name, tags: [...tags] }, own);
    }
    const names = async (query = {}) => (await report(query, own)).monitors.map(({ name }) => name);
    expect(await names()).toEqual(['API', 'Cart', 'web']);
    expect(await names({ tag: 'shop' })).toEqual(['Cart', 'web']);
    expect(await names({ tag: 'none' })).toEqual([]);
    const { tags } = await report({}, own);
    expect(tags.map(({ name, monitors }) => [name, monitors])).toEqual([['shop', 2]]);
    expect((await report({ tag: 'none' }, own)).total).toMatchObject({ monitors: 0, uptimePercentage: null });
  });

  it('of a status page has the sum of each of its sections, in their order', async () => {
    const [own, other] = [await organize(), await organize()];
    const [web, api, cart] = [
      await addMonitor({ name: 'web' }, own),
      await addMonitor({ name: 'API' }, own),
      await addMonitor({ name: 'Cart' }, own),
    ];
    await addMonitor({ name: 'Internal' }, own);
    const item = ({ id }: { id: string }) => ({ monitorId: id });
    const sections = [
      { name: 'Shop', items: [item(web), item(cart)] },
      { name: 'Empty', items: [{ monitorId: null, name: 'Phone' }] },
      { name: 'Partners', items: [item(api)] },
    ];
    const { id } = await addPage(own.ctx, { monitors: undefined, sections });
    const { monitors, sections: sums } = await report({ statusPage: id }, own);
    expect(monitors.map(({ name }) => name)).toEqual(['API', 'Cart', 'web']);
    expect(sums.map((each) => [each.name, each.monitors])).toEqual([
      ['Shop', 2],
      ['Partners', 1],
    ]);
    expect((await report({ statusPage: id }, other)).sections).toEqual([]);
  });

  it('has no monitor of another organization, whatever it names', async () => {
    const other = await organize();
    const { id } = await addMonitor({ name: 'Secret' }, other);
    expect((await report({ monitor: id }, mine)).monitors).toEqual([]);
    expect((await report({ monitor: id }, other)).monitors).toHaveLength(1);
  });

  it('is refused where it would take minutes', async () => {
    const own = await organize();
    const { id } = await addMonitor({ name: 'Shop' }, own);
    await copyMonitor(database.db, id, 199);
    await expect(report({ from: '2025-11-01', to: '2026-10-31' }, own)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('at most 40,000 days of monitors; 365 days of 200 monitors are more'),
    });
    await expect(report({}, own)).resolves.toMatchObject({ total: { monitors: 200 } });
  });

  it('counts all outages and lists the newest', async () => {
    const own = await organize();
    const { id } = await addMonitor({ name: 'Flapping' }, own);
    await writeLedger(database.db, [id], { since: at(0), now: at(744), changes: 2 * MAX_OUTAGES + 200 });
    const { outages, total } = await report({}, own);
    expect([total.outages, outages.length]).toEqual([MAX_OUTAGES + 100, MAX_OUTAGES]);
    expect(outages.map(({ startedAt }) => startedAt)).toEqual(
      outages
        .map(({ startedAt }) => startedAt)
        .toSorted()
        .reverse(),
    );
  });
});

it('a CSV of a report has a line per monitor or outage, and no formula', async () => {
  const own = await organize();
  const { id } = await addMonitor({ name: '=Shop', tags: ['eu', 'web'] }, own);
  await writePeriods(database.db, id, [
    { state: 'operational', from: at(0) },
    { state: 'down', from: at(10), why: WHY },
    { state: 'operational', from: at(11) },
  ]);
  const csv = async (table: string) => {
    const parts = await exportReport(own.ctx, reportExportSchema.parse({ month: '2026-10', table }));
    return (await text(Readable.from(parts))).split('\r\n');
  };
  const [columns, line, ...rest] = await csv('monitors');
  expect(columns?.split(',').slice(0, 6)).toEqual([
    'Monitor',
    'Monitor ID',
    'Tags',
    'From',
    'To',
    'Uptime (%)',
  ]);
  expect(line).toBe(
    `'=Shop,${id},eu web,2026-10-01T00:00:00.000Z,2026-11-01T00:00:00.000Z,99.865,99.9,3600,2678,-922,1,3600,0,0,2678400,0,0,,,,,`,
  );
  expect(rest).toEqual(['']);
  expect((await csv('outages'))[1]).toBe(
    `'=Shop,${id},2026-10-01T10:00:00.000Z,2026-10-01T11:00:00.000Z,3600,"status is 500, expected 200–299",`,
  );
});
