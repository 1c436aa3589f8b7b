import { beforeAll, describe, expect, it } from 'vitest';
import { createId } from '@/lib/core/ids';
import { createManualClock } from '@/lib/core/time/clock';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { copyMonitor, writePeriods } from '@/lib/domain/monitors/testing/history';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { addMonitor, addPage, changePage } from '@/lib/domain/status-pages/testing/pages';
import type { Prisma } from '@/lib/platform/db/generated/client';
import { publicStatusPageSchema } from '@/lib/schemas/status-pages/public-status-page';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import { openCountingDatabase } from '@/lib/testing/statements';
import { readPageView } from './read-page-view';
import { readPublicPage } from './read-public-page';

const database = useSharedDatabase();
const NOW = new Date('2026-03-10T12:00:00.000Z');
const clock = createManualClock(NOW);
const DAY = 86_400_000;
const ago = (days: number) => new Date(NOW.getTime() - days * DAY);
let organization: TestOrganization;

beforeAll(async () => {
  organization = await createTestOrganization(createTestServices({ db: database.db, clock }));
});

const read = async (slug: string) => {
  const page = await readPublicPage({ db: database.db, clock }, slug);
  expect(publicStatusPageSchema.parse(page)).toEqual(page);
  return page;
};

const setStatus = (monitorId: string, data: Prisma.MonitorStateUpdateInput) =>
  database.db.monitorState.update({ where: { monitorId }, data });

async function addIncident(
  affectedMonitors: string[],
  { createdAt, resolvedAt = null }: { createdAt: Date; resolvedAt?: Date | null },
): Promise<string> {
  const id = createId('incident');
  const updates = [
    { status: 'investigating' as const, message: 'We are looking.', createdAt },
    ...(resolvedAt ? [{ status: 'resolved' as const, message: 'Done.', createdAt: resolvedAt }] : []),
  ].map((update) => ({ ...update, id: createId('incidentUpdate') }));
  await database.db.incident.create({
    data: {
      id,
      organizationId: organization.organizationId,
      title: 'Trouble',
      description: 'Something is wrong.',
      status: resolvedAt ? 'resolved' : 'investigating',
      severity: 'major',
      automatic: false,
      affectedMonitors,
      startedAt: createdAt,
      createdAt,
      updatedAt: resolvedAt ?? createdAt,
      resolvedAt,
      updates: { create: updates },
    },
  });
  return id;
}

describe('the public page', () => {
  it('shows its monitors in order, with status, uptime and 90 days', async () => {
    const { ctx } = organization;
    const shop = await addMonitor(ctx, { name: 'Shop' });
    const mail = await addMonitor(ctx, { name: 'Mail', type: 'tcp', url: 'mail.test:25' });
    await setStatus(shop, { status: 'down', lastCheckedAt: NOW, lastResponseTime: 12 });
    await writePeriods(database.db, shop, [
      { state: 'operational', from: ago(2) },
      { state: 'down', from: ago(0.25) },
    ]);
    const {
      monitors: _ids,
      customDomainRecord: _record,
      customDomainVerified: _verified,
      customDomainStatus: _status,
      version: _version,
      noindex: _noindex,
      poweredBy: _poweredBy,
      automaticIncidents: _automaticIncidents,
      announcement: _announcement,
      embedOrigins: _embedOrigins,
      customCss: _customCss,
      visibility: _visibility,
      hasPassword: _hasPassword,
      allowedCidrs: _allowedCidrs,
      ...shown
    } = await addPage(ctx, {
      published: true,
      monitors: [mail, shop],
      theme: { primaryColor: '#123456' },
      customDomain: 'public.acme.test',
    });

    const page = await read(shown.slug);

    const { status, indicator, headline, monitors, incidents, maintenance, ...fields } = page;
    expect(fields).toEqual(shown);
    expect([status, incidents, maintenance]).toEqual(['down', [], []]);
    expect([indicator, headline]).toEqual(['critical', 'Major outage: Shop']);
    expect(monitors.map(({ days, ...monitor }) => monitor)).toEqual([
      {
        id: mail,
        name: 'Mail',
        type: 'tcp',
        status: 'pending',
        enabled: true,
        uptimePercentage: 100,
        measuredUptimePercentage: null,
        lastCheckedAt: null,
        lastResponseTime: null,
        noDataSince: null,
        inMaintenance: false,
      },
      {
        id: shop,
        name: 'Shop',
        type: 'http',
        status: 'down',
        enabled: true,
        uptimePercentage: 87.5,
        measuredUptimePercentage: null,
        lastCheckedAt: NOW.toISOString(),
        lastResponseTime: 12,
        noDataSince: null,
        inMaintenance: false,
      },
    ]);
    for (const { days } of monitors) expect(days).toHaveLength(90);
    expect(monitors[1]?.days.slice(-4)).toEqual([
      { date: '2026-03-07', status: null, uptimePercentage: null },
      { date: '2026-03-08', status: 'operational', uptimePercentage: 100 },
      { date: '2026-03-09', status: 'operational', uptimePercentage: 100 },
      { date: '2026-03-10', status: 'down', uptimePercentage: 50 },
    ]);
  });

  it('has the same uptime as the dashboard: of the trailing 30 days, to the millisecond', async () => {
    const { ctx } = organization;
    const shop = await addMonitor(ctx, { name: 'Shop' });
    const spare = await addMonitor(ctx, { name: 'Spare' });
    await writePeriods(database.db, shop, [
      { state: 'down', from: ago(60) },
      { state: 'operational', from: ago(29.5) },
      { state: 'down', from: ago(20) },
      { state: 'degraded', from: new Date(ago(19).getTime() + 1) },
      { state: 'paused', from: ago(1) },
    ]);
    const { slug } = await addPage(ctx, { monitors: [shop, spare], published: true });
    const shown = (await read(slug)).monitors.map(({ uptimePercentage }) => uptimePercentage);
    const owned = [await getMonitor(ctx, shop), await getMonitor(ctx, spare)];
    expect(shown).toEqual(owned.map(({ uptimePercentage }) => uptimePercentage));
    expect(shown).toEqual([94.82, 100]);
  });

  it('never shows requests, errors, the organization or the domain token', async () => {
    const { ctx, organizationId } = organization;
    const monitor = await addMonitor(ctx, {
      url: 'http://inner-host.test/se/cret?k=v',
      method: 'POST',
      headers: { Authorization: 'Bearer t0ken' },
      body: 'pa55word',
      keyword: 'k3yword',
      description: 'n0te',
      ref: 'r3f',
      tags: ['t4g'],
    });
    const machine = { regions: { 'us-east': { lastError: { message: 'err0r text' } } } };
    await setStatus(monitor, { status: 'down', machine });
    await addIncident([monitor], { createdAt: ago(1) });
    const created = await addPage(ctx, {
      published: true,
      monitors: [monitor],
      customDomain: 'quiet.acme.test',
    });
    const text = JSON.stringify(await read(created.slug));
    const token = created.customDomainRecord?.value.split('=')[1] ?? '';
    expect(token).not.toBe('');
    for (const secret of [
      'inner-host',
      'se/cret',
      't0ken',
      'pa55word',
      'k3yword',
      'n0te',
      'r3f',
      't4g',
      'err0r',
      token,
      organizationId,
    ]) {
      expect(text).not.toContain(secret);
    }
  });

  it('exists only for published pages', async () => {
    const page = await addPage(organization.ctx);
    const missing = { code: 'NOT_FOUND', message: 'Status page not found.' };
    await expect(read(page.slug)).rejects.toMatchObject(missing);
    await expect(read('unknown')).rejects.toMatchObject(missing);
    await changePage(organization.ctx, page.slug, { published: true });
    expect(await read(page.slug)).toMatchObject({ status: 'operational', monitors: [], incidents: [] });
  });

  it('shows a paused monitor as paused and excludes it from the aggregate status', async () => {
    const { ctx } = organization;
    const [fine, paused] = [await addMonitor(ctx), await addMonitor(ctx)];
    await setStatus(fine, { status: 'operational' });
    await setStatus(paused, { status: 'down' });
    await updateMonitor(ctx, paused, { enabled: false });
    const { slug } = await addPage(ctx, { published: true, monitors: [fine, paused] });
    const page = await read(slug);
    expect(page.status).toBe('operational');
    expect(page.monitors[1]).toMatchObject({ enabled: false, status: 'down' });
  });
});

describe('its incidents', () => {
  it('are open incidents and those of the last 14 days, newest first, with updates', async () => {
    const { ctx } = organization;
    const monitor = await addMonitor(ctx);
    const recent = await addIncident([monitor], { createdAt: ago(3), resolvedAt: ago(2) });
    const long = await addIncident([monitor], { createdAt: ago(40), resolvedAt: ago(13.9) });
    const open = await addIncident([monitor], { createdAt: ago(30) });
    await addIncident([monitor], { createdAt: ago(20), resolvedAt: ago(14.1) });
    const { slug } = await addPage(ctx, { published: true, monitors: [monitor] });
    const { incidents } = await read(slug);
    expect(incidents.map((incident) => incident.id)).toEqual([recent, open, long]);
    expect(incidents[0]).toMatchObject({
      title: 'Trouble',
      status: 'resolved',
      severity: 'major',
      automatic: false,
      resolvedAt: ago(2).toISOString(),
      updates: [
        { status: 'resolved', message: 'Done.', createdAt: ago(2).toISOString() },
        { status: 'investigating', message: 'We are looking.', createdAt: ago(3).toISOString() },
      ],
    });
  });

  it('show in the indicator and the headline while they are open, and not in the status', async () => {
    const { ctx } = organization;
    const [shop, mail] = [await addMonitor(ctx, { name: 'Shop' }), await addMonitor(ctx, { name: 'Mail' })];
    for (const id of [shop, mail]) await setStatus(id, { status: 'operational' });
    const { slug } = await addPage(ctx, { published: true, monitors: [shop, mail] });
    await addIncident([mail], { createdAt: ago(1), resolvedAt: ago(0.5) });
    const fine = { status: 'operational', indicator: 'none', headline: 'All systems operational' };
    expect(await read(slug)).toMatchObject(fine);
    await addIncident([mail], { createdAt: ago(1) });
    const partly = { status: 'operational', indicator: 'major', headline: 'Partial outage: Mail' };
    expect(await read(slug)).toMatchObject(partly);
    expect((await readPageView({ db: database.db, clock }, slug)).monitors.map(({ state }) => state)).toEqual(
      ['operational', 'partialOutage'],
    );
  });

  it('affect a monitor on the page and list no others', async () => {
    const { ctx } = organization;
    const [shown, hidden] = [await addMonitor(ctx), await addMonitor(ctx)];
    const both = await addIncident([hidden, shown], { createdAt: ago(1) });
    await addIncident([hidden], { createdAt: ago(1) });
    await addIncident([], { createdAt: ago(1) });
    const { slug } = await addPage(ctx, { published: true, monitors: [shown] });
    const { incidents } = await read(slug);
    expect(incidents.map((incident) => [incident.id, incident.affectedMonitors])).toEqual([[both, [shown]]]);
  });
});

it('a public page takes a fixed number of queries for any number of monitors', async () => {
  const { ctx } = organization;
  const first = await addMonitor(ctx);
  await addIncident([first], { createdAt: ago(1) });
  const { id: pageId, slug } = await addPage(ctx, { published: true, monitors: [first] });
  const counting = openCountingDatabase(database.url);
  const act = () => readPublicPage({ db: counting.db, clock }, slug);
  try {
    await act();
    const withOne = await counting.count(act);
    const copies = await copyMonitor(database.db, first, 60);
    const data = copies.map((monitorId, index) => ({ pageId, monitorId, position: index + 1 }));
    await database.db.statusPageMonitor.createMany({ data });
    expect((await act()).monitors.map((monitor) => monitor.id)).toEqual([first, ...copies]);
    expect(await counting.count(act)).toBe(withOne);
    expect(withOne).toBe(4);
  } finally {
    await counting.db.$disconnect();
  }
});
