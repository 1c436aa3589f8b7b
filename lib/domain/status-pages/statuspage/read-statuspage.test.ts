import { describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { updateIncident } from '@/lib/domain/incidents/change-incident';
import { createIncident } from '@/lib/domain/incidents/create-incident';
import { createMaintenance } from '@/lib/domain/maintenance/create-maintenance';
import { copyMonitor, writePeriods } from '@/lib/domain/monitors/testing/history';
import { findPublishedPage } from '@/lib/domain/status-pages/public/read-public-page';
import { addMonitor, addPage } from '@/lib/domain/status-pages/testing/pages';
import { compileOutput } from '@/lib/schemas/compile-output';
import { createIncidentSchema } from '@/lib/schemas/incidents/incident';
import { createMaintenanceSchema } from '@/lib/schemas/maintenance';
import { type StatuspageDocument, statuspageSchemas } from '@/lib/schemas/status-pages/statuspage';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { openCountingDatabase } from '@/lib/testing/statements';
import { readStatuspage } from './read-statuspage';

const database = useSharedDatabase();
const START = new Date('2026-03-10T12:00:00.000Z');
const HOUR = 3_600_000;
const ADDRESS = 'https://status.acme.test';
const inHours = (hours: number) => new Date(START.getTime() + hours * HOUR);

/** A page with three monitors; the third is new. */
async function begin() {
  const clock = createManualClock(START);
  const services = createTestServices({ db: database.db, clock });
  const { ctx } = await createTestOrganization(services);
  const shop = await addMonitor(ctx, { name: 'Shop' });
  const mail = await addMonitor(ctx, { name: 'Mail' });
  const fresh = await addMonitor(ctx, { name: 'Fresh' });
  for (const monitorId of [shop, mail]) {
    await database.db.monitorState.update({ where: { monitorId }, data: { status: 'operational' } });
    await writePeriods(database.db, monitorId, [{ state: 'operational', from: inHours(-1) }]);
  }
  const { id, slug } = await addPage(ctx, { published: true, monitors: [mail, shop, fresh] });
  const page = await findPublishedPage(database.db, slug);
  return {
    clock,
    ctx,
    shop,
    mail,
    fresh,
    page: { ...page, id },
    read: async <Document extends StatuspageDocument>(document: Document) => {
      const body = await readStatuspage(services, page, { document, address: ADDRESS });
      // As the route does; checked against the schema.
      const write = compileOutput(statuspageSchemas[document], { isChecked: true });
      expect(JSON.parse(write(body))).toEqual(body);
      return body;
    },
    report: async (fields: object) =>
      (await createIncident(ctx, createIncidentSchema.parse({ title: 'Trouble', ...fields }))).id,
  };
}

describe('the documents of Statuspage', () => {
  it('have the page, its state, and its monitors as components', async () => {
    const { page, shop, mail, fresh, report, read } = await begin();
    const { status, ...components } = await read('summary.json');
    expect(status).toEqual({ indicator: 'none', description: 'All systems operational' });
    expect(components.page).toEqual({
      id: page.id,
      name: 'Acme',
      url: ADDRESS,
      time_zone: 'Etc/UTC',
      updated_at: START.toISOString(),
    });
    expect(components.components.map(({ id, status: own, position }) => [id, own, position])).toEqual([
      [mail, 'operational', 1],
      [shop, 'operational', 2],
      [fresh, 'operational', 3],
    ]);
    expect(components.components[1]).toEqual({
      id: shop,
      name: 'Shop',
      status: 'operational',
      position: 2,
      page_id: page.id,
      created_at: START.toISOString(),
      updated_at: inHours(-1).toISOString(),
      start_date: '2026-03-10',
      description: null,
      group: false,
      group_id: null,
      showcase: true,
      only_show_if_degraded: false,
    });
    expect(components.components[2]?.description).toBe('Not checked yet');

    await report({ affectedMonitors: [shop], severity: 'critical' });
    await report({ affectedMonitors: [mail], severity: 'major' });
    const { status: worse } = await read('status.json');
    expect(worse).toEqual({ indicator: 'critical', description: 'Major outage: Shop (2 open incidents)' });
    const { components: rows } = await read('components.json');
    expect(rows.map((row) => row.status)).toEqual(['partial_outage', 'major_outage', 'operational']);
  });

  it('have the severity of an incident for single components', async () => {
    const { mail, shop, report, read } = await begin();
    await report({ affectedMonitors: [shop, mail], severity: 'minor', impacts: { [shop]: 'critical' } });
    const { components } = await read('components.json');
    const statuses = new Map(components.map(({ id, status }) => [id, status]));
    expect([statuses.get(mail), statuses.get(shop)]).toEqual(['degraded_performance', 'major_outage']);
    const { status } = await read('status.json');
    expect(status).toEqual({ indicator: 'critical', description: 'Major outage: Shop' });
  });

  it('have incidents with their updates, and unresolved ones apart', async () => {
    const { clock, ctx, page, shop, report, read } = await begin();
    const over = await report({ affectedMonitors: [shop], severity: 'minor' });
    clock.set(inHours(1));
    await updateIncident(ctx, over, { status: 'monitoring', message: 'Fixed.' });
    clock.set(inHours(2));
    await updateIncident(ctx, over, { status: 'resolved', message: 'Done.' });
    const open = await report({ title: 'More', description: 'We look.', affectedMonitors: [shop] });

    const { incidents } = await read('incidents.json');
    expect(incidents.map(({ id }) => id)).toEqual([open, over]);
    expect(incidents[1]).toMatchObject({
      name: 'Trouble',
      status: 'resolved',
      impact: 'minor',
      page_id: page.id,
      started_at: START.toISOString(),
      created_at: START.toISOString(),
      monitoring_at: inHours(1).toISOString(),
      resolved_at: inHours(2).toISOString(),
      shortlink: `${ADDRESS}/incidents/${over}`,
      components: [{ id: shop, updated_at: inHours(2).toISOString() }],
      incident_updates: [
        { status: 'resolved', body: 'Done.', incident_id: over, created_at: inHours(2).toISOString() },
        { status: 'monitoring', body: 'Fixed.' },
        { status: 'investigating', body: 'Trouble' },
      ],
    });
    for (const document of ['incidents/unresolved.json', 'summary.json'] as const) {
      expect((await read(document)).incidents.map(({ id }) => id)).toEqual([open]);
    }
    clock.set(inHours(24 * 30));
    expect((await read('incidents.json')).incidents, 'however old').toHaveLength(2);
  });

  it('have maintenance: scheduled, in progress and completed', async () => {
    const { clock, ctx, shop, mail, read } = await begin();
    for (const [title, from, to] of [
      ['First', 1, 2],
      ['Second', 3, 5],
      ['Third', 6, 7],
    ] as const) {
      const times = { startsAt: inHours(from).toISOString(), endsAt: inHours(to).toISOString() };
      await createMaintenance(ctx, createMaintenanceSchema.parse({ title, monitors: [shop], ...times }));
    }
    clock.set(inHours(4));
    const names = async (
      document: 'summary.json' | (`scheduled-maintenances${string}` & StatuspageDocument),
    ) => (await read(document)).scheduled_maintenances.map(({ name, status }) => [name, status]);
    const [third, second] = [
      ['Third', 'scheduled'],
      ['Second', 'in_progress'],
    ];
    expect(await names('scheduled-maintenances.json')).toEqual([third, second, ['First', 'completed']]);
    expect(await names('scheduled-maintenances/upcoming.json')).toEqual([third]);
    expect(await names('scheduled-maintenances/active.json')).toEqual([second]);
    expect(await names('summary.json')).toEqual([third, second]);
    const [work] = (await read('scheduled-maintenances/active.json')).scheduled_maintenances;
    expect(work).toMatchObject({
      impact: 'maintenance',
      scheduled_for: inHours(3).toISOString(),
      scheduled_until: inHours(5).toISOString(),
      resolved_at: null,
      incident_updates: [{ status: 'in_progress', body: 'Second' }],
    });
    expect(work?.components.map(({ id }) => id)).toEqual([shop]);
    expect(work?.components.map(({ id }) => id)).not.toContain(mail);
  });
});

it('a document takes as many queries for sixty monitors as for one', async () => {
  const { page, shop, report, clock } = await begin();
  await report({ affectedMonitors: [shop] });
  const counting = openCountingDatabase(database.url);
  const act = (monitors: string[]) =>
    readStatuspage(
      { db: counting.db, clock },
      { ...page, monitors },
      { document: 'summary.json', address: ADDRESS },
    );
  try {
    await act([shop]);
    const withOne = await counting.count(() => act([shop]));
    const copies = await copyMonitor(database.db, shop, 60);
    await act([shop, ...copies]);
    expect(await counting.count(() => act([shop, ...copies]))).toBe(withOne);
    expect(withOne).toBe(6);
  } finally {
    await counting.db.$disconnect();
  }
});
