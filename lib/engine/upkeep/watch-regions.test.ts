import { beforeEach, describe, expect, it } from 'vitest';
import { renderView } from '@/components/status-page/testing/render-view';
import { createLogger } from '@/lib/core/logger';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { listMonitors } from '@/lib/domain/monitors/lists/list-monitors';
import { listOverviews } from '@/lib/domain/monitors/lists/list-overviews';
import { readStats } from '@/lib/domain/monitors/read-overview';
import { recordPresence } from '@/lib/domain/monitors/silence';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { readBadge, writeBadge, writeEmbed } from '@/lib/domain/status-pages/public/badge';
import { readPageView } from '@/lib/domain/status-pages/public/read-page-view';
import { findPublishedPage, readPublicPage } from '@/lib/domain/status-pages/public/read-public-page';
import { readPageStatus } from '@/lib/domain/status-pages/read-page-status';
import { addPage } from '@/lib/domain/status-pages/testing/pages';
import { beginStory, FAILED, OK } from '@/lib/engine/testing/story';
import { useTestDatabase } from '@/lib/testing/database';
import { holdBeforeCommit, untilBlocked } from '@/lib/testing/races';
import { waitFor } from '@/lib/testing/wait-for';
import { followRegions, watchRegions } from './watch-regions';

const database = useTestDatabase();
beforeEach(async () => {
  await database.db.regionPresence.deleteMany();
  await database.db.organization.deleteMany();
});

/** An organization with a page that shows its monitors, all checked every minute. */
async function begin(...monitors: { name: string; regions: string[] }[]) {
  const story = await beginStory(database.db, { mail: true });
  const { clock, services, ctx, organizationId } = story;
  const ids: string[] = [];
  for (const fields of monitors) ids.push((await story.addMonitor({ ...fields, alertThreshold: 1 })).id);
  const { slug } = await addPage(ctx, { published: true, monitors: ids });
  const page = await findPublishedPage(database.db, slug);
  let living = ['us-east', 'eu-west'];
  return {
    ...story,
    ids,
    /** The regions with live workers from now on. */
    live: (...regions: string[]) => {
      living = regions;
    },
    /** Advances time: live workers send heartbeats, and one with upkeep duties polls every five seconds. */
    pass: async (seconds: number) => {
      for (let passed = 0; passed < seconds; passed += 5) {
        clock.advance(5000);
        await recordPresence(services, { regions: living, duties: 'all' });
        await followRegions(services);
      }
    },
    /** Checks now, since the slot of a monitor depends on its random id. */
    check: async (region: string, result = OK) => {
      await database.db.probeSchedule.updateMany({ where: { region }, data: { nextCheckAt: clock.now() } });
      expect(await story.check(result, { region, afterMs: 0 }), `checks in ${region}`).toBeGreaterThan(0);
    },
    /** What each consumer shows about the page. */
    readPage: async () => {
      const { state } = await readPageStatus(services, page);
      const badge = await readBadge(services, page, { show: 'status' });
      const view = await readPageView(services, slug);
      return {
        view,
        html: renderView(view),
        json: await readPublicPage(services, slug),
        badge: writeBadge(badge.label, badge.figure),
        embed: writeEmbed({ name: 'Acme', colors: '', state, address: 'https://acme.test' }).html,
      };
    },
    periods: (monitorId: string) =>
      database.db.statusPeriod
        .findMany({ where: { monitorId }, orderBy: { id: 'asc' } })
        .then((rows) => rows.map(({ state, from }) => [state, from.toISOString()])),
    /** The notices to be mailed, each with its region. */
    notices: () =>
      database.db.memberNotice
        .findMany({ where: { organizationId }, orderBy: { id: 'asc' } })
        .then((rows) =>
          rows.map(({ kind, subjectId, effect, downtime }) => ({ kind, subjectId, effect, downtime })),
        ),
  };
}

const silence = async (ctx: OrganizationContext, id: string) => {
  const { status, noDataSince, silentRegions } = await getMonitor(ctx, id);
  return { status, noDataSince, silentRegions };
};

describe('when the only worker of a region disappears', () => {
  it('API, pages, badge, uptime and mail show it within 70 s, until data returns', async () => {
    const { ctx, clock, ids, check, live, pass, readPage, periods, notices } = await begin(
      { name: 'Shop', regions: ['eu-west'] },
      { name: 'Mail', regions: ['us-east'] },
    );
    const [shop = '', mail = ''] = ids;
    await pass(5);
    await check('us-east');
    await check('eu-west');
    const checkedAt = clock.now();
    const since = new Date(checkedAt.getTime() + 60_000).toISOString();

    live('us-east');
    await pass(55);
    expect(await silence(ctx, shop)).toEqual({ status: 'operational', noDataSince: null, silentRegions: [] });
    expect((await readPage()).html).toContain('All systems operational');

    await check('us-east');
    await pass(10);
    const silentShop = { status: 'operational', noDataSince: since, silentRegions: ['eu-west'] };
    expect(await silence(ctx, shop)).toEqual(silentShop);
    expect(await silence(ctx, mail)).toMatchObject({ noDataSince: null, silentRegions: [] });
    const { items } = await listMonitors(ctx);
    expect(items.find(({ id }) => id === shop)).toMatchObject({ noDataSince: since });
    const overviews = await listOverviews(ctx);
    expect(overviews.find(({ id }) => id === shop)).toMatchObject({ noDataSince: since });
    expect((await periods(shop)).at(-1)).toEqual(['unknown', since]);

    const silent = await readPage();
    expect(silent.html).toContain('No current data for some systems');
    expect(silent.html).toMatch(/<span class="state rest">.*No data since <time[^>]*>Mar 1, 2026/);
    expect(silent.html).not.toContain('All systems operational');
    expect(silent.json.status).toBe('pending');
    expect(silent.json.monitors).toMatchObject([
      { id: shop, status: 'operational', noDataSince: since },
      { id: mail, status: 'operational', noDataSince: null },
    ]);
    expect(silent.badge).toContain('no data');
    expect(silent.badge).not.toContain('operational');
    expect(silent.embed).toContain('No current data for some systems');

    expect(await notices(), 'not before two minutes').toEqual([]);
    await check('us-east');
    await pass(60);
    const effect =
      '1 monitor has no current data: the last known status is kept, and the time counts as unknown.';
    const outage = { kind: 'region.silent', subjectId: 'eu-west', effect, downtime: null };
    expect(await notices()).toEqual([outage]);
    await check('us-east');
    await pass(60);
    expect(await notices(), 'one mail an outage').toEqual([outage]);

    live('us-east', 'eu-west');
    await pass(5);
    expect(await silence(ctx, shop), 'a worker alone is no data').toMatchObject({ noDataSince: since });
    await check('us-east');
    await check('eu-west', FAILED);
    await pass(5);
    expect(await silence(ctx, shop)).toEqual({ status: 'down', noDataSince: null, silentRegions: [] });
    const back = await readPage();
    expect(back.html).toContain('Major outage');
    expect(back.html).not.toContain('No data since');
    const states = (await periods(shop)).map(([state]) => state);
    expect([states.at(-1), states.includes('unknown')]).toEqual(['down', true]);
    expect((await notices()).filter(({ kind }) => kind.startsWith('region'))).toEqual([
      outage,
      { kind: 'region.back', subjectId: 'eu-west', effect: null, downtime: 195 },
    ]);
  });

  it('the other of two regions decides, the silent one is listed, and members get one mail', async () => {
    const { ctx, ids, check, live, pass, readPage, periods, notices } = await begin({
      name: 'Shop',
      regions: ['us-east', 'eu-west'],
    });
    const [shop = ''] = ids;
    await pass(5);
    await check('us-east');
    await check('eu-west');
    live('us-east');
    await pass(65);
    await check('us-east');
    const silentRegion = { status: 'operational', noDataSince: null, silentRegions: ['eu-west'] };
    expect(await silence(ctx, shop)).toEqual(silentRegion);
    expect((await readPage()).html).toContain('All systems operational');
    await pass(60);
    await check('us-east', FAILED);
    expect(await silence(ctx, shop), 'eu-west keeps its vote for three intervals').toMatchObject({
      status: 'operational',
      silentRegions: ['eu-west'],
    });
    await pass(60);
    await check('us-east', FAILED);
    expect(await silence(ctx, shop)).toMatchObject({ status: 'down', silentRegions: ['eu-west'] });
    expect((await periods(shop)).map(([state]) => state)).not.toContain('unknown');
    const effect = '1 monitor is still checked from other regions.';
    expect((await notices()).filter(({ kind }) => kind.startsWith('region'))).toEqual([
      { kind: 'region.silent', subjectId: 'eu-west', effect, downtime: null },
    ]);
  });
});

describe('when no worker is left', () => {
  it('readers still see it, and uptime excludes time without data', async () => {
    const { ctx, clock, ids, check, readPage, services } = await begin({
      name: 'Shop',
      regions: ['eu-west'],
    });
    const [shop = ''] = ids;
    await recordPresence(services, { regions: ['eu-west'], duties: 'all' });
    await check('eu-west', FAILED);
    clock.advance(90_000);
    await recordPresence(services, { regions: ['eu-west'], duties: 'all' });
    await check('eu-west', OK);
    const since = new Date(clock.now().getTime() + 60_000).toISOString();
    clock.advance(3_600_000);
    expect(await silence(ctx, shop)).toMatchObject({ noDataSince: since, silentRegions: ['eu-west'] });
    const { uptimePercentage } = await getMonitor(ctx, shop);
    expect(uptimePercentage, '90 s down of 150 s with data').toBe(40);
    const { uptime, days } = await readStats(ctx, shop, { window: '24h' });
    expect(uptime['24h']).toBe(40);
    expect(days.at(-1)?.uptimePercentage).toBe(40);
    const { html, json } = await readPage();
    expect(html).toContain('Current status unknown');
    expect(html).not.toContain('operational');
    expect(json.monitors[0]).toMatchObject({ noDataSince: since, uptimePercentage: 40 });
  });

  it('members are notified of the outage and its end once a worker is back', async () => {
    const { clock, check, services, notices } = await begin({ name: 'Shop', regions: ['eu-west'] });
    await recordPresence(services, { regions: ['eu-west'], duties: 'all' });
    await check('eu-west');
    clock.advance(600_000);
    const presence = await database.db.regionPresence.findMany();
    await recordPresence(services, { regions: ['eu-west'], duties: 'all' });
    const watch = watchRegions(services, {
      presence: new Map(presence.map(({ region, servedAt }) => [region, servedAt])),
      log: createLogger('silent', 'test'),
    });
    await waitFor(async () => expect(await notices()).toMatchObject([{ kind: 'region.silent' }]));
    await watch.stop();
    await check('eu-west');
    await followRegions(services);
    expect(await notices()).toMatchObject([
      { kind: 'region.silent' },
      { kind: 'region.back', subjectId: 'eu-west', downtime: 600 },
    ]);
  });
});

describe('a region that never had a worker', () => {
  it('is listed immediately, and its monitors are without data one interval after creation', async () => {
    const { ctx, clock, ids, notices, pass } = await begin({ name: 'Shop', regions: ['ap-southeast'] });
    const [shop = ''] = ids;
    const createdAt = clock.now().getTime();
    const pending = { status: 'pending', noDataSince: null, silentRegions: ['ap-southeast'] };
    expect(await silence(ctx, shop)).toEqual(pending);
    await pass(60);
    const noDataSince = new Date(createdAt + 60_000).toISOString();
    expect(await silence(ctx, shop)).toMatchObject({ status: 'pending', noDataSince });
    await pass(60);
    expect(await notices()).toMatchObject([{ kind: 'region.silent', subjectId: 'ap-southeast' }]);
  });
});

it('a paused monitor is not without data, and an outage that affects nobody ends silently', async () => {
  const { ctx, ids, check, live, pass, notices } = await begin({ name: 'Shop', regions: ['eu-west'] });
  const [shop = ''] = ids;
  await pass(5);
  await check('eu-west');
  live('us-east');
  await pass(130);
  expect(await notices()).toHaveLength(1);
  await updateMonitor(ctx, shop, { enabled: false });
  expect(await silence(ctx, shop)).toMatchObject({ noDataSince: null, silentRegions: [] });
  await pass(5);
  expect(await notices()).toHaveLength(1);
  expect(await database.db.regionOutage.count()).toBe(0);
});

it('several concurrent workers notify once', async () => {
  const { clock, check, services, notices } = await begin({ name: 'Shop', regions: ['eu-west'] });
  await recordPresence(services, { regions: ['eu-west'], duties: 'all' });
  await check('eu-west');
  clock.advance(130_000);
  const first = await holdBeforeCommit(database.db, (db) => followRegions({ ...services, db }));
  const others = [followRegions(services), followRegions(services)];
  await untilBlocked(database.db, 2);
  await first.release();
  await Promise.all(others);
  expect(await notices()).toHaveLength(1);
});

it('after minutes without the database, regions count as served again at the first heartbeats', async () => {
  const { clock, services, ids, check, notices, periods } = await begin({
    name: 'Shop',
    regions: ['us-east'],
  });
  const beat = () => recordPresence(services, { regions: ['us-east'], duties: 'all' });
  await beat();
  await check('us-east');
  const known = await periods(ids[0] ?? '');
  clock.advance(150_000);
  const suspected = await followRegions(services, { suspected: [] });
  expect(suspected).toEqual(['us-east']);
  await beat();
  expect(await followRegions(services, { suspected })).toEqual([]);
  expect([await notices(), await periods(ids[0] ?? '')]).toEqual([[], known]);
});
