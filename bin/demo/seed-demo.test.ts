import { beforeAll, describe, expect, it } from 'vitest';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { listIncidents } from '@/lib/domain/incidents/read-incidents';
import { listMonitors } from '@/lib/domain/monitors/lists/list-monitors';
import { readStats } from '@/lib/domain/monitors/read-overview';
import { readPublicPage } from '@/lib/domain/status-pages/public/read-public-page';
import { SETTINGS } from '@/lib/domain/status-pages/testing/pages';
import { incidentsQuerySchema } from '@/lib/schemas/incidents/incident';
import { listMonitorsQuery } from '@/lib/schemas/monitor/monitor-query';
import { statsQuerySchema } from '@/lib/schemas/monitor/stats';
import { parseMonitorState } from '@/lib/state/types';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestServices } from '@/lib/testing/services';
import { DEMO_MONITORS } from './demo-monitors';
import { type Demo, seedDemo } from './seed-demo';

/** Enough for every kind of problem. */
const DAYS = 13;

const database = useTestDatabase();
let demo: Demo;
let ctx: OrganizationContext;

beforeAll(async () => {
  const services = createTestServices({ db: database.db });
  demo = await seedDemo(services, {
    email: 'demo@example.com',
    password: 'correct horse battery',
    slug: 'demo',
    days: DAYS,
    service: new URL('http://127.0.0.1:3000'),
    settings: SETTINGS,
    onProgress: () => undefined,
  });
  ctx = { ...services, organizationId: demo.organizationId, actor: { kind: 'operator' } };
});

const list = () => listMonitors(ctx, listMonitorsQuery.parse({}));

describe('the demo', () => {
  it('has monitors in every state', async () => {
    const byName = new Map((await list()).items.map((monitor) => [monitor.name, monitor]));
    expect(byName.get('Website')).toMatchObject({ status: 'operational', enabled: true });
    expect(byName.get('Reports')).toMatchObject({ status: 'degraded', enabled: true });
    expect(byName.get('Old mail server')).toMatchObject({ status: 'down', enabled: true });
    expect(byName.get('Mail records')).toMatchObject({ status: 'operational', enabled: false });
    expect(byName.get('Checkout API')?.uptimePercentage).toBeLessThan(100);
    expect(byName.get('Load balancer')?.uptimePercentage).toBe(100);
  });

  it('has a reason for each status change, and the resulting incidents', async () => {
    const periods = await database.db.statusPeriod.findMany({ where: { state: 'down' } });
    expect(periods.length).toBeGreaterThan(3);
    for (const { why } of periods) expect(why).toMatchObject({ rule: expect.stringMatching(/failed/) });
    const page = await listIncidents(ctx, incidentsQuerySchema.parse({ limit: '100' }));
    const open = page.items.filter(({ resolvedAt }) => resolvedAt === null).map(({ title }) => title);
    expect(open.toSorted()).toEqual([
      'New products are missing from search',
      'Old mail server is down',
      'Reports is degraded',
    ]);
  });

  it('has charts of all its days and individual checks of two', async () => {
    const website = (await list()).items.find(({ name }) => name === 'Website');
    const stats = await readStats(ctx, website?.id ?? '', statsQuerySchema.parse({}));
    expect(stats.days.filter(({ status }) => status !== null).length).toBeGreaterThanOrEqual(DAYS);
    const [hours] = await database.db.$queryRaw<{ n: number }[]>`
      SELECT count(DISTINCT hour)::int AS n FROM raw.rollup_hour`;
    expect(hours?.n).toBeGreaterThanOrEqual(DAYS * 24);
    const [checks] = await database.db.$queryRaw<{ n: number }[]>`
      SELECT count(DISTINCT checked_at::date)::int AS n FROM raw.check_result`;
    expect(checks?.n).toBeGreaterThanOrEqual(2);
  });

  it('is on a public page', async () => {
    const page = await readPublicPage(ctx, demo.slug);
    expect(page.monitors.map(({ name }) => name)).toEqual([
      'Website',
      'Checkout API',
      'Search API',
      'Login',
      'Images',
    ]);
    expect(page.incidents.length).toBeGreaterThan(2);
    expect(page.maintenance).toHaveLength(1);
  });

  it('continues in the engine, and sends no notifications about the past', async () => {
    const due = await database.db.probeSchedule.count();
    const enabled = DEMO_MONITORS.filter(({ isPaused }) => !isPaused);
    expect(due).toBe(enabled.flatMap(({ regions }) => regions).length);
    const states = await database.db.monitorState.findMany();
    for (const { machine } of states) expect(() => parseMonitorState(machine)).not.toThrow();
    expect(await database.db.delivery.count()).toBe(0);
    expect(await database.db.mail.count()).toBe(0);
  });
});
