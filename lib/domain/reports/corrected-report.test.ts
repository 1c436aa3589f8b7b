import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { createCorrection } from '@/lib/domain/monitors/corrections/change-corrections';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { writePeriods } from '@/lib/domain/monitors/testing/history';
import { addPage } from '@/lib/domain/status-pages/testing/pages';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { reportExportSchema, reportQuerySchema } from '@/lib/schemas/reports/report';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import type { CountedTwice } from './count-uptime';
import { exportReport } from './export-report';
import { readReport } from './read-report';

const HOUR = 3_600_000;
const NOW = new Date('2026-11-03T12:00:00.000Z');
const OCTOBER = new Date('2026-10-01T00:00:00.000Z');
const at = (hour: number) => new Date(OCTOBER.getTime() + hour * HOUR);

const database = useSharedDatabase();
const clock = createManualClock(NOW);

const organize = () => createTestOrganization(createTestServices({ db: database.db, clock }));

async function addMonitor(fields: { name: string; tags?: string[] }, { ctx }: TestOrganization) {
  return createMonitor(ctx, createMonitorSchema.parse({ url: 'http://shop.test', ...fields }));
}

const report = (query: Record<string, string>, { ctx }: TestOrganization) =>
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

describe('a report with corrections', () => {
  it('has the cause and the incident of each outage that corrections cut, extend or join', async () => {
    const own = await organize();
    const { id } = await addMonitor({ name: 'Shop' }, own);
    const outages = [
      [100, 104],
      [105, 106],
      [200, 202],
      [210, 212],
    ] as const;
    await writePeriods(database.db, id, [
      { state: 'operational', from: at(0) },
      ...outages.flatMap(([from, to]) => [
        { state: 'down' as const, from: at(from), why: WHY },
        { state: 'operational' as const, from: at(to) },
      ]),
    ]);
    for (const [from, to] of outages) {
      await database.db.$executeRaw`
        INSERT INTO incident (id, organization_id, title, description, status, severity, automatic, monitor_id, affected_monitors,
                              started_at, created_at, updated_at, resolved_at)
        VALUES (${`inc_${id}_${from}`}, ${own.organizationId}, 'Shop is down', '', 'resolved', 'critical', true, ${id}, ${[id]},
                ${at(from)}, ${at(from)}, ${at(to + 2)}, ${at(to + 2)})`;
    }
    const correct = (from: number, to: number, state: 'down' | 'maintenance') =>
      createCorrection(own.ctx, id, { from: at(from), to: at(to), state, reason: 'Wrong' });
    await correct(100, 101, 'maintenance');
    await correct(102, 103, 'maintenance');
    await correct(199, 200, 'down');
    await correct(202, 210, 'down');
    const found = (await report({}, own)).outages.map(({ startedAt, endedAt, cause, incidentId }) => [
      ...[startedAt, endedAt].map((time) => (Date.parse(time ?? '') - OCTOBER.getTime()) / HOUR),
      cause,
      incidentId?.slice(`inc_${id}_`.length),
    ]);
    const cause = WHY.regions[1]?.error?.message;
    expect(found).toEqual([
      [199, 212, cause, '200'],
      [105, 106, cause, '105'],
      [103, 104, cause, '100'],
      [101, 102, cause, '100'],
    ]);
  });

  it('has what was measured next to every sum that corrections change', async () => {
    const own = await organize();
    const shop = await addMonitor({ name: 'Shop', tags: ['eu', 'web'] }, own);
    const blog = await addMonitor({ name: 'Blog', tags: ['web'] }, own);
    const mail = await addMonitor({ name: 'Mail', tags: ['mail'] }, own);
    for (const { id } of [shop, blog, mail]) {
      await writePeriods(database.db, id, [
        { state: 'operational', from: at(0) },
        { state: 'down', from: at(10) },
        { state: 'operational', from: at(12) },
      ]);
    }
    const wrong = { from: at(10), to: at(11), reason: 'Wrong' };
    await createCorrection(own.ctx, shop.id, { ...wrong, state: 'maintenance' });
    const items = ({ id }: { id: string }) => [{ monitorId: id }];
    const sections = [
      { name: 'Store', items: items(shop) },
      { name: 'Rest', items: [...items(blog), ...items(mail)] },
    ];
    const { id: statusPage } = await addPage(own.ctx, { monitors: undefined, sections });
    const { total, monitors, tags, sections: sums } = await report({ statusPage }, own);
    const hours = ({ downMs, measured }: CountedTwice) => [downMs / HOUR, measured && measured.downMs / HOUR];
    expect(hours(total)).toEqual([5, 6]);
    const named = [...monitors, ...tags, ...sums].map((line) => [line.name, ...hours(line)]);
    expect(named).toEqual([
      ['Blog', 2, null],
      ['Mail', 2, null],
      ['Shop', 1, 2],
      ['eu', 1, 2],
      ['mail', 2, null],
      ['web', 3, 4],
      ['Store', 1, 2],
      ['Rest', 4, null],
    ]);
    const csv = await exportReport(
      own.ctx,
      reportExportSchema.parse({ month: '2026-10', table: 'monitors' }),
    );
    const lines = (await text(Readable.from(csv))).trim().split('\r\n');
    expect(lines.map((line) => line.split(',').slice(-2))).toEqual([
      ['Measured uptime (%)', 'Measured downtime (s)'],
      ['', ''],
      ['', ''],
      ['99.731', '7200'],
    ]);
  });
});
