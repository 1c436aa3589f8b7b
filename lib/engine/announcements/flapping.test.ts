import { describe, expect, it } from 'vitest';
import { sized } from '@/bin/testing/thorough.mjs';
import { updateIncident } from '@/lib/domain/incidents/change-incident';
import { getIncident } from '@/lib/domain/incidents/read-incidents';
import { deleteMonitor, setMonitorsEnabled } from '@/lib/domain/monitors/change-selected';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { listFlappingTimes } from '@/lib/domain/monitors/history/flapping-times';
import { listOverviews } from '@/lib/domain/monitors/lists/list-overviews';
import { readTimeline } from '@/lib/domain/timelines/read-timeline';
import { resolveOrphanedIncidents } from '@/lib/engine/upkeep/resolve-orphaned-incidents';
import { beginMaintenance } from '@/lib/engine/upkeep/run-maintenance-windows';
import { useTestDatabase } from '@/lib/testing/database';
import { beginFlapping } from './testing/flapping-story';

const database = useTestDatabase();
const begin = (options: Parameters<typeof beginFlapping>[1] = {}) => beginFlapping(database.db, options);

const BEGAN =
  'Shop is flapping – 5 changes in the last 10 minutes. You get the next message once it has been steady for 10 minutes.';
const EARLIER = [
  'New incident: Shop is down – Shop is down.',
  'Shop is up after 1m',
  'New incident: Shop is down – Shop is down.',
  'Shop is up after 1m',
];

describe('a monitor that changes for the fifth time within ten minutes', () => {
  it('becomes one message, and another once it has been operational for ten minutes', async () => {
    const story = await begin();
    await story.flap(4);
    expect(await story.read('chat')).toEqual(EARLIER);
    await story.flap(6);
    await story.rest(9.9);
    expect(await story.read('chat')).toEqual([...EARLIER, BEGAN]);
    await story.rest(0.2);
    expect(await story.rest(60)).toBeNull();
    expect(await story.read('chat')).toEqual([
      ...EARLIER,
      BEGAN,
      'Shop is steady again: operational since 2026-03-01 12:11 UTC – It was down 5 times, 5m in total.',
    ]);
    expect(await story.noticed()).toEqual([
      'Shop: monitor.down',
      'Shop: monitor.up',
      'Shop: monitor.down',
      'Shop: monitor.up',
      'Shop: monitor.flapping',
      'Shop: monitor.steady',
    ]);
  });

  it('is announced as down if that is what it is for ten minutes, with its current incident', async () => {
    const story = await begin();
    await story.flap(7);
    await story.rest(10);
    expect((await story.read('chat')).slice(4)).toEqual([
      BEGAN,
      'Shop is down since 2026-03-01 12:08 UTC – Before that, it was down 3 times, 3m in total.',
    ]);
    const notices = await database.db.memberNotice.findMany({
      where: { organizationId: story.organizationId },
      orderBy: { id: 'desc' },
    });
    const open = (await story.incidents()).at(-1);
    expect(notices[0]).toMatchObject({
      kind: 'monitor.down',
      incidentId: open?.id,
      error: 'responded with 503, expected 200',
      flapping: { kind: 'ended', end: 'steady', status: 'down' },
    });
    // Afterwards, as if nothing had been.
    await story.flap(1, { isDown: true });
    expect((await story.read('chat')).at(-1)).toMatch(/^Shop is up after /);
    expect((await story.noticed()).at(-1)).toBe('Shop: monitor.up');
  });

  it.each([
    ['offers to acknowledge the outage if it is down', 7, true],
    ['offers nothing if it is operational', 6, false],
  ])('%s once it has been steady for ten minutes', async (_, changes, isOffered) => {
    const story = await begin();
    story.services.appUrl = 'https://pharos.example.com';
    await story.flap(changes);
    await story.rest(10);
    const [last] = await database.db.delivery.findMany({
      where: { endpointId: story.endpoints.chat },
      include: { event: true },
      orderBy: { number: 'desc' },
    });
    expect(last?.body?.includes(`/acknowledge/${last.id}.[hidden]`)).toBe(isOffered);
    if (isOffered) expect(last?.event.incidentId).toBe((await story.incidents()).at(-1)?.id);
  });

  it('becomes one message for those who get other changes only, too', async () => {
    const story = await begin();
    await story.flap(1);
    await story.rest(60);
    await story.flap(5, { isDown: true });
    await story.rest(10);
    expect(await story.read('monitors')).toEqual([
      'Shop is down',
      'Shop is down',
      'Shop is down',
      'Shop is flapping',
      'Shop is steady again: operational since 2026-03-01 13\\:07 UTC',
    ]);
  });

  it('is not flapping if the five changes took ten minutes or longer', async () => {
    const story = await begin();
    await story.flap(6, { everyMs: 150_000 });
    expect(await story.read('chat')).toHaveLength(6);
    expect(await story.flapping()).toEqual([]);
  });

  it('sends every event to programs, at once', async () => {
    const story = await begin();
    await story.flap(6);
    await story.rest(10);
    const pairs = Array.from({ length: 3 }, () => ['monitor.down', 'incident.created', 'monitor.up']).flat();
    expect(await story.kinds('standard')).toEqual(pairs);
    const incidents = Array.from({ length: 3 }, () => ['incident.created', 'incident.resolved']).flat();
    expect(await story.kinds('custom')).toEqual(incidents);
  });

  it('flaps again if it does, which is another message', async () => {
    const story = await begin();
    await story.flap(6);
    await story.rest(10);
    await story.flap(6);
    expect((await story.read('chat')).filter((text) => text === BEGAN)).toHaveLength(2);
    expect(await story.flapping()).toMatchObject([{ endedAt: expect.any(Date) }, { endedAt: null }]);
  });
});

describe('where messages can be edited', () => {
  it('a monitor that is down again within ten minutes continues its message; flapping is another', async () => {
    const story = await begin();
    await story.flap(8);
    expect(await story.messages('bot')).toEqual([1, 1, 1, 1, 2]);
    await story.rest(10);
    expect(await story.messages('bot')).toEqual([1, 1, 1, 1, 2, 2]);
    expect(await story.messages('chat')).toEqual([1, 1, 2, 2, 3, 3]);
  });

  it('an endpoint that is not sent recoveries gets a message for each outage: an edit would notify nobody', async () => {
    const story = await begin();
    await story.flap(3);
    expect(await story.messages('monitors')).toEqual([1, 2]);
  });

  it('a later outage has its own message', async () => {
    const story = await begin();
    await story.flap(2, { everyMs: 660_000 });
    await story.flap(1, { everyMs: 660_000 });
    expect(await story.messages('bot')).toEqual([1, 1, 2]);
  });

  it('what is said about an incident after its message went on is a message of its own, which stays one', async () => {
    const story = await begin();
    await story.flap(3);
    const [first] = await story.incidents();
    const rename = (title: string) => updateIncident(story.ctx, first?.id ?? '', { title });
    await rename('A fuse had blown');
    await rename('A fuse was replaced');
    await story.flap(1, { isDown: true });
    expect(await story.messages('bot')).toEqual([1, 1, 1, 2, 2, 1]);
  });
});

describe('the dashboard', () => {
  it('shows since when a monitor flaps, and which changes nobody was notified about', async () => {
    const story = await begin();
    await story.flap(5);
    const since = story.clock.now();
    const read = async () => {
      const [overview] = (await listOverviews(story.ctx)).filter(({ name }) => name === 'Shop');
      return [(await getMonitor(story.ctx, story.idOf('Shop'))).flappingSince, overview?.flappingSince];
    };
    expect(await read()).toEqual([since.toISOString(), since.getTime() / 1000]);
    await story.flap(2, { isDown: true });
    const [before, during] = (await story.incidents()).slice(-2);
    const lastChangeAt = story.clock.now();
    await story.rest(10);
    expect(await read()).toEqual([null, undefined]);
    const times = await listFlappingTimes(story.ctx, story.idOf('Shop'));
    expect(times).toEqual([{ since, lastChangeAt }]);
    for (const incident of [before, during]) {
      const timeline = await readTimeline(story.ctx, await getIncident(story.ctx, incident?.id ?? ''));
      const flapping = timeline.filter(({ kind }) => kind === 'flapping');
      const monitor = { id: story.idOf('Shop'), name: 'Shop' };
      expect(flapping).toMatchObject([{ monitor, until: story.clock.now() }]);
    }
    const [first] = await story.incidents();
    const earlier = await readTimeline(story.ctx, await getIncident(story.ctx, first?.id ?? ''));
    expect(earlier.filter(({ kind }) => kind === 'flapping')).toEqual([]);
  });
});

describe('flapping ends at once', () => {
  const shop = (story: Awaited<ReturnType<typeof begin>>) => [story.idOf('Shop')];
  type Story = Awaited<ReturnType<typeof begin>>;
  const reasons: [string, (story: Story) => Promise<unknown>, string][] = [
    ['paused', (story) => setMonitorsEnabled(story.ctx, shop(story), false), 'it was paused'],
    ['deleted', (story) => deleteMonitor(story.ctx, story.idOf('Shop')), 'it was deleted'],
    [
      'in maintenance',
      (story) => database.db.$transaction((tx) => beginMaintenance(tx, story.services, shop(story))),
      'it is in maintenance',
    ],
    [
      'changed',
      (story) => story.change('Shop', { url: 'http://other.test/' }),
      'it was changed, and its checks start over',
    ],
  ];
  for (const changes of sized([7], { thorough: [7, 8] })) {
    const status = changes === 7 ? 'down' : 'operational';
    it.each(reasons)(`if the monitor is ${status} and %s`, async (name, act, reason) => {
      const story = await begin();
      await story.flap(changes);
      await act(story);
      await story.end();
      await resolveOrphanedIncidents(story.services);
      await story.end();
      const messages = (await story.read('chat')).slice(4);
      expect(messages).toEqual([BEGAN, expect.stringContaining(`Shop is no longer flapping: ${reason}`)]);
      expect((await story.noticed()).at(-1)).toBe('Shop: monitor.steady');
      expect(await story.flapping()).toMatchObject([{ endedAt: expect.any(Date) }]);
      const isGone = name === 'paused' || name === 'deleted';
      const isOpen = changes === 7;
      // As for every monitor: only a recovery ends the alert of the monitor itself.
      expect(await story.alerts()).toHaveLength(isOpen ? (isGone ? 1 : 2) : 0);
    });
  }

  it('and earlier changes do not count after it', async () => {
    const story = await begin();
    await story.flap(4);
    await setMonitorsEnabled(story.ctx, shop(story), false);
    await setMonitorsEnabled(story.ctx, shop(story), true);
    await story.check([]);
    await story.flap(2);
    expect(await story.flapping()).toEqual([]);
  });
});

describe('a monitor with dependencies', () => {
  it('begins to flap when its change is announced', async () => {
    const story = await begin({ isDependent: true });
    for (let change = 0; change < 6; change++) {
      await story.check(change % 2 === 0 ? ['Shop'] : [], { afterMs: 60_000, only: ['Shop'] });
      story.clock.advance(10_000);
      await story.decide();
    }
    expect((await story.read('chat')).slice(4)).toEqual([BEGAN]);
    expect((await story.noticed()).slice(4)).toEqual(['Shop: monitor.flapping']);
    expect(await story.alerts()).toHaveLength(2);
    await story.rest(10);
    expect((await story.read('chat')).at(-1)).toMatch(/^Shop is steady again: operational since/);
    expect(await story.alerts()).toEqual([]);
  });

  it('does not flap because of what suppresses it, which does', async () => {
    const story = await begin({ isDependent: true });
    for (let change = 0; change < 8; change++) {
      const isDown = change % 2 === 0;
      await story.check(isDown ? ['Gateway'] : [], { afterMs: 30_000, only: ['Gateway'] });
      await story.check(isDown ? ['Shop'] : [], { afterMs: 30_000, only: ['Shop'] });
      await story.decide();
    }
    expect((await story.flapping()).map(({ monitorName }) => monitorName)).toEqual(['Gateway']);
    expect((await story.read('chat')).filter((text) => text.includes('Shop'))).toEqual([]);
    await story.flap(1);
    story.clock.advance(10_000);
    await story.decide();
    expect((await story.read('chat')).filter((text) => text.includes('Shop'))).toEqual([
      'New incident: Shop is down – Shop is down.',
    ]);
  });

  it('that flaps is not announced as down while its dependency is', async () => {
    const story = await begin({ isDependent: true });
    for (let change = 0; change < 6; change++) {
      await story.check(change % 2 === 0 ? ['Shop'] : [], { afterMs: 60_000, only: ['Shop'] });
      story.clock.advance(10_000);
      await story.decide();
    }
    await story.check(['Gateway'], { only: ['Gateway'] });
    await story.check(['Gateway', 'Shop'], { afterMs: 60_000 });
    for (let minute = 0; minute < 12; minute++) {
      await story.check(['Gateway', 'Shop'], { afterMs: 60_000 });
      await story.decide();
      await story.end();
    }
    expect((await story.read('chat')).at(-1)).toMatch(/Gateway is down/);
    await story.check(['Shop'], { afterMs: 60_000 });
    await story.end();
    await story.rest(1);
    expect((await story.read('chat')).at(-1)).toMatch(/^Shop is down since/);
  });
});
