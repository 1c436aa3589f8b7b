import { expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { createMaintenance } from '@/lib/domain/maintenance/create-maintenance';
import { addMonitor, addPage } from '@/lib/domain/status-pages/testing/pages';
import { runMaintenanceWindows } from '@/lib/engine/upkeep/run-maintenance-windows';
import { createMaintenanceSchema } from '@/lib/schemas/maintenance';
import { publicStatusPageSchema } from '@/lib/schemas/status-pages/public-status-page';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { readCalendar } from './read-feed';
import { readPastMaintenance } from './read-public-maintenance';
import { findPublishedPage, readPublicPage } from './read-public-page';

const database = useTestDatabase();
const START = new Date('2026-03-10T12:00:00.000Z');
const DAY = 86_400_000;
const inDays = (days: number) => new Date(START.getTime() + days * DAY).toISOString();

async function begin() {
  const clock = createManualClock(START);
  const services = createTestServices({ db: database.db, clock });
  const { ctx } = await createTestOrganization(services);
  const [shown, hidden] = [
    await addMonitor(ctx, { name: 'Shop' }),
    await addMonitor(ctx, { name: 'Cellar' }),
  ];
  const { slug } = await addPage(ctx, { published: true, monitors: [shown] });
  const page = await findPublishedPage(database.db, slug);
  return {
    clock,
    shown,
    hidden,
    plan: async (from: number, to: number, fields: object = {}) => {
      const body = { title: 'Upgrade', message: 'Soon.', monitors: [shown, hidden] };
      const times = { startsAt: inDays(from), endsAt: inDays(to) };
      return (await createMaintenance(ctx, createMaintenanceSchema.parse({ ...body, ...times, ...fields })))
        .id;
    },
    at: async (days: number) => {
      clock.set(new Date(inDays(days)));
      await runMaintenanceWindows(services);
    },
    read: async () => {
      const page = await readPublicPage(services, slug);
      expect(publicStatusPageSchema.parse(page)).toEqual(page);
      return page;
    },
    calendar: () => readCalendar(services, page),
    past: (start: string, end: string) =>
      readPastMaintenance(database.db, [shown], {
        start: new Date(start),
        end: new Date(end),
        now: clock.now(),
      }),
  };
}

it('shows active maintenance and maintenance starting within 14 days, earliest first, with the page’s monitors', async () => {
  const story = await begin();
  const later = await story.plan(13, 14);
  const translations = { de: { title: 'Neue Platten' } };
  const active = await story.plan(-1, 1, { message: '', translations });
  await story.plan(14.1, 15);
  await story.plan(1, 2, { monitors: [story.hidden] });
  const { maintenance } = await story.read();
  expect(maintenance).toEqual([
    {
      id: active,
      title: 'Upgrade',
      message: '',
      translations: { de: { title: 'Neue Platten' } },
      status: 'active',
      monitors: [story.shown],
      startsAt: inDays(-1),
      endsAt: inDays(1),
    },
    {
      id: later,
      title: 'Upgrade',
      message: 'Soon.',
      translations: {},
      status: 'scheduled',
      monitors: [story.shown],
      startsAt: inDays(13),
      endsAt: inDays(14),
    },
  ]);
});

it('is in the calendar from months before until two weeks after, with names of monitors on the page alone', async () => {
  const story = await begin();
  await story.plan(0, 1, { title: 'Past' });
  await story.plan(5, 6, { title: 'Soon' });
  await story.plan(300, 301, { title: 'Far' });
  await story.plan(1, 2, { title: 'Hidden', monitors: [story.hidden] });
  const list = async () => (await story.calendar()).maintenance.map(({ title, status }) => [title, status]);
  await story.at(2);
  expect(await list()).toEqual([
    ['Far', 'scheduled'],
    ['Soon', 'scheduled'],
    ['Past', 'finished'],
  ]);
  await story.at(14);
  expect(await list()).toEqual([
    ['Far', 'scheduled'],
    ['Soon', 'finished'],
    ['Past', 'finished'],
  ]);
  await story.at(16);
  expect(await list()).toEqual([
    ['Far', 'scheduled'],
    ['Soon', 'finished'],
  ]);
  expect([...(await story.calendar()).monitorNames.values()]).toEqual(['Shop']);
});

it('marks monitors in maintenance and excludes them from the aggregate status', async () => {
  const story = await begin();
  await story.plan(0, 1);
  const inMaintenance = async () => (await story.read()).monitors.map((monitor) => monitor.inMaintenance);
  expect(await inMaintenance()).toEqual([false]);
  await story.at(0);
  await database.db.monitorState.update({ where: { monitorId: story.shown }, data: { status: 'down' } });
  expect(await inMaintenance()).toEqual([true]);
  expect((await story.read()).status).toBe('operational');
  await story.at(1);
  expect(await inMaintenance()).toEqual([false]);
});

it('lists completed occurrences by the month they started in, newest first', async () => {
  const story = await begin();
  const id = await story.plan(0, 0.5, { rrule: 'FREQ=WEEKLY;COUNT=4' });
  await story.plan(0, 0.5, { monitors: [story.hidden] });
  for (const day of [0, 7, 14, 21]) await story.at(day + 0.5);
  const shown = { id, title: 'Upgrade', message: 'Soon.', translations: {}, monitors: [story.shown] };
  expect(await story.past('2026-03-01', '2026-04-01')).toEqual(
    [21, 14, 7, 0].map((day) => ({ ...shown, startsAt: inDays(day), endsAt: inDays(day + 0.5) })),
  );
  expect(await story.past('2026-04-01', '2026-05-01')).toEqual([]);
});
