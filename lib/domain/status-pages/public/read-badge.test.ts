import { beforeAll, describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { createIncident } from '@/lib/domain/incidents/create-incident';
import { writePeriods } from '@/lib/domain/monitors/testing/history';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { addMonitor, addPage } from '@/lib/domain/status-pages/testing/pages';
import { createIncidentSchema } from '@/lib/schemas/incidents/incident';
import { type BadgeQuery, badgeQuery } from '@/lib/schemas/status-pages/page-preview';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import { readBadge, writeBadge } from './badge';
import { findPublishedPage } from './read-public-page';

const database = useSharedDatabase();
const NOW = new Date('2026-03-10T12:00:00.000Z');
const clock = createManualClock(NOW);
let organization: TestOrganization;

beforeAll(async () => {
  organization = await createTestOrganization(createTestServices({ db: database.db, clock }));
});

const read = async (slug: string, query: Partial<BadgeQuery> = {}) => {
  const page = await findPublishedPage(database.db, slug);
  return readBadge({ db: database.db, clock }, page, { show: 'status', ...query });
};
const setStatus = (monitorId: string, status: 'operational' | 'degraded') =>
  database.db.monitorState.update({ where: { monitorId }, data: { status } });

describe('a badge', () => {
  it('shows the page or one of its monitors with its name or the given label', async () => {
    const { ctx } = organization;
    const [shop, mail] = [await addMonitor(ctx), await addMonitor(ctx, { name: 'Mail' })];
    await setStatus(shop, 'degraded');
    await setStatus(mail, 'operational');
    const { slug } = await addPage(ctx, { published: true, monitors: [shop, mail] });
    expect(await read(slug)).toEqual({ label: 'Acme', figure: { state: 'degraded' } });
    expect(await read(slug, { monitor: mail })).toEqual({ label: 'Mail', figure: { state: 'operational' } });
    expect((await read(slug, { label: 'now' })).label).toBe('now');
    expect((await read(slug, { label: '', monitor: mail })).label).toBe('');
  });

  it('shows the uptime of the last 30 days', async () => {
    const { ctx } = organization;
    const shop = await addMonitor(ctx);
    const ago = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000);
    await writePeriods(database.db, shop, [
      { state: 'operational', from: ago(48) },
      { state: 'down', from: ago(6) },
    ]);
    const { slug } = await addPage(ctx, { published: true, monitors: [shop] });
    expect((await read(slug, { monitor: shop, show: 'uptime' })).figure).toEqual({
      uptimePercentage: 87.5,
      isCurrent: true,
    });
  });

  it('shows no uptime before there is data', async () => {
    const { ctx } = organization;
    const shop = await addMonitor(ctx);
    const { slug } = await addPage(ctx, { published: true, monitors: [shop] });
    const { label, figure } = await read(slug, { monitor: shop, show: 'uptime' });
    expect(figure).toEqual({ uptimePercentage: null, isCurrent: true });
    expect(writeBadge(label, figure)).toContain('no data');
  });

  it('shows that a monitor is paused', async () => {
    const { ctx } = organization;
    const shop = await addMonitor(ctx);
    await updateMonitor(ctx, shop, { enabled: false });
    const { slug } = await addPage(ctx, { published: true, monitors: [shop] });
    expect((await read(slug, { monitor: shop })).figure).toEqual({ state: 'paused' });
    expect((await read(slug)).figure).toEqual({ state: 'paused' });
  });

  it('shows that a monitor is in maintenance, which is not an outage of the page', async () => {
    const shop = await addMonitor(organization.ctx);
    await database.db.monitorState.update({
      where: { monitorId: shop },
      data: { status: 'down', statusBeforeMaintenance: 'operational' },
    });
    const { slug } = await addPage(organization.ctx, { published: true, monitors: [shop] });
    expect((await read(slug, { monitor: shop })).figure).toEqual({ state: 'maintenance' });
    expect((await read(slug)).figure).toEqual({ state: 'maintenance' });
  });

  it('shows the effect of an open incident', async () => {
    const { ctx } = organization;
    const [shop, mail] = [await addMonitor(ctx), await addMonitor(ctx)];
    for (const id of [shop, mail]) await setStatus(id, 'operational');
    const { slug } = await addPage(ctx, { published: true, monitors: [shop, mail] });
    const trouble = { title: 'Trouble', affectedMonitors: [shop], severity: 'critical' };
    await createIncident(ctx, createIncidentSchema.parse(trouble));
    expect((await read(slug)).figure).toEqual({ state: 'majorOutage' });
    expect((await read(slug, { monitor: shop })).figure).toEqual({ state: 'majorOutage' });
    expect((await read(slug, { monitor: mail })).figure).toEqual({ state: 'operational' });
  });

  it('rejects monitors that are not on the page', async () => {
    const { ctx } = organization;
    const { slug } = await addPage(ctx, { published: true });
    for (const monitor of [await addMonitor(ctx), 'mon_unknown', 'a\0b', '']) {
      await expect(read(slug, { monitor })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });
});

it('a query with a long label, an unknown value or uptime without a monitor is rejected', () => {
  const isFine = (query: object) => badgeQuery.safeParse(query).success;
  expect(isFine({ label: 'x'.repeat(60), utm_source: 'readme' })).toBe(true);
  expect(isFine({ label: 'x'.repeat(61) })).toBe(false);
  expect(isFine({ show: 'uptime' })).toBe(false);
  expect(isFine({ show: 'response', monitor: 'mon_1' })).toBe(false);
  expect(isFine({ label: ['a', 'b'] })).toBe(false);
});
