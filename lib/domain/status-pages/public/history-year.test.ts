import { expect, it, onTestFinished } from 'vitest';
import { createdAtOf, createId } from '@/lib/core/ids';
import { createManualClock } from '@/lib/core/time/clock';
import { createCorrection } from '@/lib/domain/monitors/corrections/change-corrections';
import { copyMonitor, writePeriods } from '@/lib/domain/monitors/testing/history';
import { addMonitor, addPage, changePage } from '@/lib/domain/status-pages/testing/pages';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { openCountingDatabase } from '@/lib/testing/statements';
import { readHistoryView } from './read-history-view';

const database = useSharedDatabase();
const HOUR = 3_600_000;
const NOW = new Date('2026-03-10T12:00:00.000Z');
const at = (iso: string) => new Date(`${iso}Z`);

/** A page with a monitor that was created at this moment. */
async function begin(createdAt: string) {
  const clock = createManualClock(at(createdAt));
  const services = createTestServices({ db: database.db, clock });
  const { ctx } = await createTestOrganization(services);
  const monitor = await addMonitor(ctx);
  const { id: pageId, slug } = await addPage(ctx, { published: true, monitors: [monitor] });
  clock.set(NOW);
  return { monitor, pageId, slug, services, ctx, clock };
}

it('the current month of the history has the uptime of a year, month by month', async () => {
  const { monitor, slug, services } = await begin('2025-12-20T00:00:00');
  await writePeriods(database.db, monitor, [
    { state: 'operational', from: at('2026-01-22T00:00:00') },
    { state: 'down', from: at('2026-01-31T12:00:00') },
    { state: 'operational', from: at('2026-02-08T00:00:00') },
    { state: 'paused', from: at('2026-03-05T00:00:00') },
  ]);
  const { year, monitors } = await readHistoryView(services, slug);
  expect(year).toEqual(['2026-03', '2026-02', '2026-01', '2025-12']);
  // 7 of 28 days, and half a day of 10.
  expect(monitors[0]?.monthlyUptimes).toEqual([100, 75, 95, null]);
  expect(monitors[0]?.uptimePercentage).toBe(100);

  const february = await readHistoryView(services, slug, '2026-02');
  expect([february.year, february.monitors[0]?.monthlyUptimes]).toEqual([[], []]);
  expect(february.monitors[0]?.uptimePercentage).toBe(75);
});

it('the current month has the uptime of quarters, of monitors and of components', async () => {
  const { monitor, slug, services, ctx } = await begin('2025-11-20T00:00:00');
  await writePeriods(database.db, monitor, [
    { state: 'operational', from: at('2025-12-01T00:00:00') },
    { state: 'down', from: at('2025-12-31T00:00:00') },
    { state: 'operational', from: at('2026-01-01T00:00:00') },
    { state: 'paused', from: at('2026-02-01T00:00:00') },
  ]);
  const items = [{ monitorId: monitor, name: 'Checkout' }, { name: 'Phone orders' }];
  const page = await changePage(ctx, slug, { sections: [{ name: 'Payments', items }] });
  const component = page.sections[0]?.items[1]?.componentId ?? '';

  const view = await readHistoryView(services, slug);
  expect(view.quarters).toEqual(['2026-Q1', '2025-Q4']);
  // 1 of 31 days.
  expect(view.monitors[0]).toMatchObject({ name: 'Checkout', quarterlyUptimes: [100, 96.77] });
  // IDs have the time of the real clock, which is later.
  expect(view.components).toMatchObject([
    { id: component, name: 'Phone orders', uptimePercentage: null, quarterlyUptimes: [null, null] },
  ]);
  expect(view.sections.map(({ name, rows }) => [name, rows.length])).toEqual([['Payments', 2]]);
});

it('months and quarters with corrections also have what was measured, for which others take no statement', async () => {
  const { monitor, slug, services, ctx } = await begin('2025-11-20T00:00:00');
  const counting = openCountingDatabase(database.url);
  onTestFinished(() => counting.db.$disconnect());
  const count = () => counting.count(() => readHistoryView({ ...services, db: counting.db }, slug));
  await writePeriods(database.db, monitor, [
    { state: 'operational', from: at('2025-12-01T00:00:00') },
    { state: 'down', from: at('2025-12-31T00:00:00') },
    { state: 'operational', from: at('2026-01-01T00:00:00') },
    { state: 'paused', from: at('2026-03-05T00:00:00') },
  ]);
  await count();
  const before = await count();
  expect((await readHistoryView(services, slug)).monitors[0]?.measured).toBeNull();
  await createCorrection(ctx, monitor, {
    from: at('2025-12-31T00:00:00'),
    to: at('2026-01-01T00:00:00'),
    state: 'maintenance',
    reason: 'New disks',
  });
  expect(await count()).toBe(before + 1);
  expect((await readHistoryView(services, slug)).monitors[0]).toMatchObject({
    uptimePercentage: 100,
    measuredUptimePercentage: null,
    monthlyUptimes: [100, 100, 100, 100, null],
    quarterlyUptimes: [100, 100],
    measured: { monthlyUptimes: [100, 100, 100, 96.77, null], quarterlyUptimes: [100, 96.77] },
  });
});

it('the uptime of a component follows from outages that incidents are for it', async () => {
  const { slug, services, ctx, clock } = await begin('2026-03-01T00:00:00');
  const sections = [{ name: 'Payments', items: [{ name: 'Phone orders' }] }];
  const page = await changePage(ctx, slug, { sections });
  const component = page.sections[0]?.items[0]?.componentId ?? '';
  const created = createdAtOf(component).getTime();
  clock.set(new Date(created + 4 * HOUR));
  const outage = (severity: 'minor' | 'major', impacts: object, [from, to]: [number, number]) =>
    database.db.incident.create({
      data: {
        id: createId('incident'),
        organizationId: ctx.organizationId,
        title: 'Phones',
        description: '',
        status: 'resolved',
        automatic: false,
        severity,
        impacts,
        affectedMonitors: [],
        affectedComponents: [component],
        startedAt: new Date(created + from * HOUR),
        createdAt: new Date(created),
        updatedAt: new Date(created),
        resolvedAt: new Date(created + to * HOUR),
      },
    });
  await outage('major', {}, [0, 1]);
  await outage('minor', {}, [1, 2]);
  await outage('major', { [component]: 'minor' }, [1, 2]);
  await outage('minor', { [component]: 'critical' }, [2, 3]);
  const { components } = await readHistoryView(services, slug);
  expect(components[0]?.quarterlyUptimes[0]).toBe(50);
});

it('the year has at most twelve months, and none before the page and its monitors', async () => {
  const old = await begin('2024-01-01T00:00:00');
  const { year } = await readHistoryView(old.services, old.slug);
  expect([year.length, year.at(-1)]).toEqual([12, '2025-04']);
  const fresh = await begin('2026-03-01T00:00:00');
  expect((await readHistoryView(fresh.services, fresh.slug)).year).toEqual(['2026-03']);
});

it('the history takes as many queries with a year as without, and for twenty monitors as for one', async () => {
  const { monitor, pageId, slug, services } = await begin('2025-01-01T00:00:00');
  const counting = openCountingDatabase(database.url);
  const count = (month: string) =>
    counting.count(() => readHistoryView({ ...services, db: counting.db }, slug, month));
  try {
    await count('2026-02');
    const withoutYear = await count('2026-02');
    expect(await count('2026-03')).toBe(withoutYear);
    const copies = await copyMonitor(database.db, monitor, 20);
    const data = copies.map((monitorId, index) => ({ pageId, monitorId, position: index + 1 }));
    await database.db.statusPageMonitor.createMany({ data });
    expect(await count('2026-03')).toBe(withoutYear);
  } finally {
    await counting.db.$disconnect();
  }
});
