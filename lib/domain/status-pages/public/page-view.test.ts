import { beforeAll, describe, expect, it } from 'vitest';
import { createId } from '@/lib/core/ids';
import { createManualClock } from '@/lib/core/time/clock';
import { updateIncident } from '@/lib/domain/incidents/change-incident';
import { copyMonitor, storeChecks, writePeriods } from '@/lib/domain/monitors/testing/history';
import { addMonitor, addPage, changePage } from '@/lib/domain/status-pages/testing/pages';
import { ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import { rollUp } from '@/lib/engine/upkeep/roll-up';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import { openCountingDatabase } from '@/lib/testing/statements';
import { readFeed } from './read-feed';
import { readHistoryView, readIncidentView } from './read-history-view';
import { readPageView } from './read-page-view';
import { findPublishedPage, readPublicPage, readPublicPageOf } from './read-public-page';

const NOW = new Date('2026-03-10T12:00:00.000Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MISSING = { code: 'NOT_FOUND' };
const at = (iso: string) => new Date(`${iso}Z`);

const database = useTestDatabase();
const clock = createManualClock(NOW);
let organization: TestOrganization;

beforeAll(async () => {
  clock.set(at('2026-01-20T00:00:00.000'));
  organization = await createTestOrganization(createTestServices({ db: database.db, clock }));
  clock.set(NOW);
});

const services = () => ({ db: database.db, clock });

/** A monitor created on January 20. */
async function addOldMonitor(): Promise<string> {
  clock.set(at('2026-01-20T00:00:00.000'));
  const id = await addMonitor(organization.ctx);
  clock.set(NOW);
  return id;
}

async function addIncident(
  affectedMonitors: string[],
  startedAt: Date,
  resolvedAt: Date | null,
  { automatic = false } = {},
): Promise<string> {
  const id = createId('incident');
  const { organizationId } = organization;
  // Created a while after it started, like an automatic one.
  const createdAt = new Date(startedAt.getTime() + 60_000);
  const status = resolvedAt ? 'resolved' : 'investigating';
  await database.db.incident.create({
    data: {
      id,
      organizationId,
      affectedMonitors,
      startedAt,
      createdAt,
      resolvedAt,
      status,
      title: 'Trouble',
      description: '',
      severity: 'major',
      automatic,
      updatedAt: resolvedAt ?? createdAt,
      updates: { create: [{ id: createId('incidentUpdate'), status, message: 'Looking.', createdAt }] },
    },
  });
  return id;
}

describe('an incident that people resolved', () => {
  it('names the monitors of the page whose outage continues, in every view, but not in the JSON', async () => {
    const [shop, mail, hidden] = [await addOldMonitor(), await addOldMonitor(), await addOldMonitor()];
    for (const id of [shop, hidden]) {
      await writePeriods(database.db, id, [
        { state: 'operational', from: at('2026-03-01T00:00:00') },
        { state: 'down', from: at('2026-03-10T11:00:00') },
      ]);
    }
    await writePeriods(database.db, mail, [{ state: 'operational', from: at('2026-03-01T00:00:00') }]);
    const id = await addIncident([shop, mail, hidden], at('2026-03-10T11:00:00'), at('2026-03-10T11:30:00'));
    const before = await addIncident([shop], at('2026-03-09T11:00:00'), at('2026-03-09T12:00:00'));
    const { slug } = await addPage(organization.ctx, { published: true, monitors: [shop, mail] });
    const view = await readPageView(services(), slug);
    const history = await readHistoryView(services(), slug);
    for (const incidents of [view.incidents, history.incidents]) {
      expect(incidents.map((incident) => [incident.id, incident.stillFailing])).toEqual([
        [id, [shop]],
        [before, []],
      ]);
    }
    expect((await readIncidentView(services(), slug, id)).incident.stillFailing).toEqual([shop]);
    const json = await readPublicPage(services(), slug);
    expect(json.incidents.map((incident) => 'stillFailing' in incident)).toEqual([false, false]);
  });

  it('is over once its monitors are operational, also if they go down again', async () => {
    const shop = await addOldMonitor();
    const id = await addIncident([shop], at('2026-03-10T10:00:00'), at('2026-03-10T10:30:00'));
    const { slug } = await addPage(organization.ctx, { published: true, monitors: [shop] });
    const outage = { state: 'degraded', from: at('2026-03-10T10:00:00') } as const;
    const end = { state: 'operational', from: at('2026-03-10T11:00:00') } as const;
    const next = { state: 'down', from: at('2026-03-10T11:30:00') } as const;
    const readFailing = async () => (await readIncidentView(services(), slug, id)).incident.stillFailing;
    for (const [periods, failing] of [
      [[outage], [shop]],
      [[outage, end], []],
      [[outage, end, next], []],
    ] as const) {
      await writePeriods(database.db, shop, [...periods]);
      expect(await readFailing()).toEqual(failing);
    }
  });
});

describe('the page view', () => {
  it('has the downtime and the incidents of each day, and how many of them people opened', async () => {
    const [shop, mail] = [await addOldMonitor(), await addOldMonitor()];
    await writePeriods(database.db, shop, [
      { state: 'operational', from: at('2026-03-01T00:00:00') },
      { state: 'down', from: at('2026-03-05T23:50:00') },
      { state: 'operational', from: at('2026-03-06T00:04:00') },
    ]);
    await addIncident([shop], at('2026-03-05T23:52:00'), at('2026-03-06T00:04:00'), { automatic: true });
    await addIncident([shop, mail], at('2026-03-06T10:00:00'), at('2026-03-06T11:00:00'));
    await addIncident([shop], at('2026-03-09T10:00:00'), null);
    await addIncident([shop], at('2025-12-01T10:00:00'), at('2025-12-11T00:00:00'));
    const { slug } = await addPage(organization.ctx, { published: true, monitors: [shop, mail] });

    const view = await readPageView(services(), slug);

    const [first, second] = view.monitors;
    expect(first?.days).toHaveLength(90);
    expect(first?.days[0]).toEqual({
      date: '2025-12-11',
      status: null,
      uptimePercentage: null,
      downtime: 0,
      incidents: { all: 1, byPeople: 1 },
    });
    expect(
      first?.days.slice(-6).map(({ date, downtime, incidents = null }) => [date, downtime, incidents]),
    ).toEqual([
      ['2026-03-05', 600_000, { all: 1, byPeople: 0 }],
      ['2026-03-06', 240_000, { all: 2, byPeople: 1 }],
      ['2026-03-07', 0, null],
      ['2026-03-08', 0, null],
      ['2026-03-09', 0, { all: 1, byPeople: 1 }],
      ['2026-03-10', 0, { all: 1, byPeople: 1 }],
    ]);
    expect(second?.days.filter((day) => day.incidents !== undefined).map((day) => day.date)).toEqual([
      '2026-03-06',
    ]);
    expect([view.asOf, view.page.slug, view.incidents.length]).toEqual([NOW.toISOString(), slug, 3]);
  });

  it.each([
    [30, 100, 30],
    [60, 98.31, 60],
    [90, 98.88, 90],
  ] as const)('of a page of %i days has the uptime of its bars', async (uptimeDays, percentage, bars) => {
    const shop = await addMonitor(organization.ctx);
    // Known since the first of 90 days; down for a day, 50 days ago.
    await writePeriods(database.db, shop, [
      { state: 'operational', from: at('2025-12-11T00:00:00') },
      { state: 'down', from: at('2026-01-20T00:00:00') },
      { state: 'operational', from: at('2026-01-21T00:00:00') },
    ]);
    const { slug } = await addPage(organization.ctx, { published: true, monitors: [shop], uptimeDays });
    const [monitor] = (await readPageView(services(), slug)).monitors;
    expect(monitor?.days).toHaveLength(bars);
    expect(monitor?.uptime).toEqual({ days: uptimeDays, percentage });
    expect(monitor?.recentUptime).toEqual(uptimeDays === 30 ? null : { days: 30, percentage: 100 });
    const page = await findPublishedPage(database.db, slug);
    const { monitors } = await readPublicPageOf(services(), page);
    expect([monitors[0]?.uptimePercentage, monitors[0]?.days.length], 'as JSON').toEqual([100, 90]);
  });

  it('has an uptime that is that of its bars to the millisecond, also while the monitor is down', async () => {
    const shop = await addMonitor(organization.ctx);
    await writePeriods(database.db, shop, [
      { state: 'operational', from: at('2026-02-01T00:00:00') },
      { state: 'paused', from: at('2026-02-20T03:00:00') },
      { state: 'degraded', from: at('2026-02-25T05:00:00') },
      { state: 'down', from: at('2026-03-09T21:30:00') },
    ]);
    const { slug } = await addPage(organization.ctx, { published: true, monitors: [shop] });
    const [monitor] = (await readPageView(services(), slug)).monitors;
    const until = NOW.getTime();
    const known = until - Date.parse('2026-02-01T00:00:00Z') - 122 * HOUR;
    const down = monitor?.days.reduce((sum, day) => sum + day.downtime, 0) ?? 0;
    expect(down).toBe(14.5 * HOUR);
    expect(monitor?.uptime.percentage).toBe(Math.floor(((known - down) * 10_000) / known) / 100);
  });

  it('has no uptime of a monitor that was never checked, and 100 as JSON', async () => {
    const { slug } = await addPage(organization.ctx, {
      published: true,
      monitors: [await addMonitor(organization.ctx)],
    });
    const [monitor] = (await readPageView(services(), slug)).monitors;
    expect([monitor?.uptime, monitor?.recentUptime]).toEqual([
      { days: 90, percentage: null },
      { days: 30, percentage: null },
    ]);
    const page = await findPublishedPage(database.db, slug);
    expect((await readPublicPageOf(services(), page)).monitors[0]?.uptimePercentage).toBe(100);
  });

  it('has response times only if enabled: hourly, from all regions, up to now', async () => {
    const { db } = database;
    for (const day of [2, 1, 0]) await ensureResultPartitions(db, new Date(NOW.getTime() - day * DAY));
    const [shop, quiet] = [await addOldMonitor(), await addOldMonitor()];
    const since = new Date(NOW.getTime() - 30 * HOUR);
    await storeChecks(db, [shop], { since, now: NOW, everySeconds: 600, regions: 2 });
    clock.set(new Date(NOW.getTime() - 3 * HOUR));
    while ((await rollUp({ db, clock })) > 0);
    clock.set(NOW);
    const { slug } = await addPage(organization.ctx, { published: true, monitors: [shop, quiet] });
    const hidden = await readPageView(services(), slug);
    expect(hidden.monitors.map((monitor) => monitor.responseTimes)).toEqual([null, null]);

    await changePage(organization.ctx, slug, { showResponseTimes: true });
    const view = await readPageView(services(), slug);

    const [series, nothing] = view.monitors.map((monitor) => monitor.responseTimes);
    const [exact] = await db.$queryRaw<{ p50: number; p95: number }[]>`
      SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY response_time) AS p50,
             percentile_disc(0.95) WITHIN GROUP (ORDER BY response_time) AS p95
        FROM raw.check_result JOIN monitor ON monitor.number = check_result.monitor
       WHERE monitor.id = ${shop} AND checked_at >= ${at('2026-03-09T13:00:00')}`;
    expect(series?.hours).toHaveLength(24);
    expect(series?.hours.every(({ p50, p95 }) => p50 !== null && p95 !== null && p50 <= p95)).toBe(true);
    for (const which of ['p50', 'p95'] as const) {
      const wanted = exact?.[which] ?? Number.NaN;
      expect(Math.abs((series?.total[which] ?? 0) - wanted)).toBeLessThanOrEqual(wanted * 0.045 + 0.5);
    }
    expect(nothing?.total).toEqual({ p50: null, p95: null });
    expect(nothing?.hours).toHaveLength(24);
  });

  it('exists only for published pages, as do its incidents and months', async () => {
    const monitor = await addOldMonitor();
    const id = await addIncident([monitor], NOW, null);
    const { slug } = await addPage(organization.ctx, { monitors: [monitor] });
    await expect(readPageView(services(), slug)).rejects.toMatchObject(MISSING);
    await expect(readIncidentView(services(), slug, id)).rejects.toMatchObject(MISSING);
    await expect(readHistoryView(services(), slug)).rejects.toMatchObject(MISSING);
    await changePage(organization.ctx, slug, { published: true });
    expect((await readIncidentView(services(), slug, id)).incident.id).toBe(id);
  });

  it('takes a fixed number of statements for any number of monitors', async () => {
    const first = await addOldMonitor();
    await addIncident([first], NOW, null);
    const fields = { published: true, monitors: [first], showResponseTimes: true };
    const { id: pageId, slug } = await addPage(organization.ctx, fields);
    const counting = openCountingDatabase(database.url);
    const reads = [readPageView, readHistoryView].map((read) => async () => {
      const act = () => read({ db: counting.db, clock }, slug);
      await act();
      return counting.count(act);
    });
    try {
      const withOne = [await reads[0]?.(), await reads[1]?.()];
      const copies = await copyMonitor(database.db, first, 40);
      const data = copies.map((monitorId, index) => ({ pageId, monitorId, position: index + 1 }));
      await database.db.statusPageMonitor.createMany({ data });
      expect([await reads[0]?.(), await reads[1]?.()]).toEqual(withOne);
      expect(withOne).toEqual([4, 9]);
    } finally {
      await counting.db.$disconnect();
    }
  });
});

describe('the URL of an incident', () => {
  it('is permanent and does not list monitors that are not on the page', async () => {
    const [shown, hidden] = [await addOldMonitor(), await addOldMonitor()];
    const id = await addIncident([hidden, shown], at('2026-01-21T00:00:00'), at('2026-01-21T01:00:00'));
    const { slug } = await addPage(organization.ctx, { published: true, monitors: [shown] });
    const { incident, rows } = await readIncidentView(services(), slug, id);
    expect([incident.id, incident.affectedMonitors, incident.updates.length]).toEqual([id, [shown], 1]);
    expect(rows.map(({ id: row }) => row)).toEqual([shown]);
  });

  it('shows the postmortem once it is published, also in the feeds, but no draft', async () => {
    const monitor = await addOldMonitor();
    const id = await addIncident([monitor], NOW, NOW);
    const { slug } = await addPage(organization.ctx, { published: true, monitors: [monitor] });
    const { incident, postmortem } = await readIncidentView(services(), slug, id);
    expect([Object.keys(incident), postmortem]).toEqual([expect.not.arrayContaining(['postmortem']), null]);
    const write = (postmortemPublished: boolean) =>
      updateIncident(organization.ctx, id, { postmortem: 'A disk was full.', postmortemPublished });
    const page = await findPublishedPage(database.db, slug);
    const inFeed = async () =>
      (await readFeed(services(), page)).postmortems.map(({ incidentId, text }) => [incidentId, text]);
    await write(false);
    expect((await readIncidentView(services(), slug, id)).postmortem).toBeNull();
    expect(await inFeed()).toEqual([]);
    await write(true);
    const shown = { text: 'A disk was full.', publishedAt: expect.any(String) };
    expect((await readIncidentView(services(), slug, id)).postmortem).toEqual(shown);
    expect(await inFeed()).toEqual([[id, 'A disk was full.']]);
  });

  it('does not exist on other pages of any organization', async () => {
    const [mine, elsewhere] = [await addOldMonitor(), await addOldMonitor()];
    const id = await addIncident([elsewhere], NOW, null);
    const unaffected = await addIncident([], NOW, null);
    const { slug } = await addPage(organization.ctx, { published: true, monitors: [mine] });
    const other = await createTestOrganization(createTestServices({ db: database.db, clock }));
    const foreign = await addPage(other.ctx, { published: true });
    for (const wanted of [id, unaffected, 'inc_unknown', 'inc_\0', "'", '']) {
      await expect(readIncidentView(services(), slug, wanted)).rejects.toMatchObject(MISSING);
      await expect(readIncidentView(services(), foreign.slug, wanted)).rejects.toMatchObject(MISSING);
    }
  });
});

describe('the history', () => {
  it('has the days, the uptime and the incidents of a month', async () => {
    const monitor = await addOldMonitor();
    await writePeriods(database.db, monitor, [
      { state: 'operational', from: at('2026-01-20T00:00:00') },
      { state: 'down', from: at('2026-01-31T23:00:00') },
      { state: 'operational', from: at('2026-02-01T02:00:00') },
      { state: 'paused', from: at('2026-02-15T00:00:00') },
    ]);
    const across = await addIncident([monitor], at('2026-01-31T23:05:00'), at('2026-02-01T02:00:00'));
    const later = await addIncident([monitor], at('2026-03-01T00:00:00'), null);
    const { slug } = await addPage(organization.ctx, { published: true, monitors: [monitor] });
    const read = (month?: string) => readHistoryView(services(), slug, month);

    const february = await read('2026-02');
    expect([february.previous, february.month, february.next]).toEqual(['2026-01', '2026-02', '2026-03']);
    const [days, uptime] = [february.monitors[0]?.days ?? [], february.monitors[0]?.uptimePercentage];
    expect([days.length, days[0]?.date, days.at(-1)?.date]).toEqual([28, '2026-02-01', '2026-02-28']);
    expect(days[0]).toMatchObject({ status: 'down', downtime: 2 * HOUR, incidents: { all: 1, byPeople: 1 } });
    expect(days[14]).toMatchObject({ status: null });
    // 2 of the 336 hours before it was paused.
    expect(uptime).toBe(99.4);
    expect(february.incidents.map((incident) => incident.id)).toEqual([across]);

    const january = await read('2026-01');
    expect([january.previous, january.next]).toEqual([null, '2026-02']);
    expect(january.incidents.map((incident) => incident.id)).toEqual([across]);
    expect(january.monitors[0]?.days).toHaveLength(31);

    const march = await read();
    expect([march.month, march.previous, march.next]).toEqual(['2026-03', '2026-02', null]);
    expect(march.monitors[0]?.days.map((day) => day.date).at(-1)).toBe('2026-03-10');
    expect([march.monitors[0]?.uptimePercentage, march.isCut]).toEqual([null, false]);
    expect(march.incidents.map((incident) => incident.id)).toEqual([later]);
  });

  it('has completed maintenance with every occurrence of a recurring window', async () => {
    const monitor = await addOldMonitor();
    const { organizationId } = organization;
    const [startsAt, endsAt] = [at('2026-02-03T01:00:00'), at('2026-02-03T02:00:00')];
    const [again, over] = [at('2026-02-10T01:00:00'), at('2026-02-10T02:00:00')];
    await database.db.maintenanceWindow.create({
      data: {
        id: createId('maintenance'),
        organizationId,
        title: 'Backups',
        message: '',
        timeZone: 'UTC',
        startsAt,
        endsAt,
        rrule: 'FREQ=WEEKLY',
        createdAt: startsAt,
        updatedAt: startsAt,
        monitors: { create: [{ monitorId: monitor, position: 0 }] },
        occurrences: {
          create: [
            { startsAt, endsAt, endedAt: endsAt },
            { startsAt: again, endsAt: over, endedAt: over },
            { startsAt: at('2026-03-17T01:00:00'), endsAt: at('2026-03-17T02:00:00') },
          ],
        },
      },
    });
    const { slug } = await addPage(organization.ctx, { published: true, monitors: [monitor] });
    const february = await readHistoryView(services(), slug, '2026-02');
    expect(february.maintenance.map(({ title, startsAt: from }) => [title, from])).toEqual([
      ['Backups', again.toISOString()],
      ['Backups', startsAt.toISOString()],
    ]);
    expect((await readHistoryView(services(), slug)).maintenance).toEqual([]);
    expect((await readPageView(services(), slug)).maintenance).toMatchObject([{ status: 'scheduled' }]);
  });

  it.each(['2026-04', '2025-12', '2026-00', '2026-13', '2026-3', 'march', '', '2026-02-01', '2026-02\0'])(
    'knows no month %j',
    async (month) => {
      const monitors = [await addOldMonitor()];
      const { slug } = await addPage(organization.ctx, { published: true, monitors });
      await expect(readHistoryView(services(), slug, month)).rejects.toMatchObject(MISSING);
    },
  );

  it('reaches back as far as the ledger, across the turn of the year', async () => {
    const { db } = database;
    const monitor = await addOldMonitor();
    await db.monitor.update({ where: { id: monitor }, data: { createdAt: at('2020-01-01T00:00:00') } });
    const { slug } = await addPage(organization.ctx, { published: true, monitors: [monitor] });
    const january = await readHistoryView(services(), slug, '2026-01');
    expect([january.previous, january.next]).toEqual(['2025-12', '2026-02']);
    expect((await readHistoryView(services(), slug, '2025-02')).previous).toBeNull();
    await expect(readHistoryView(services(), slug, '2025-01')).rejects.toMatchObject(MISSING);
  });
});
