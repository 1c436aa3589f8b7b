import { describe, expect, it } from 'vitest';
import { sized } from '@/bin/testing/thorough.mjs';
import { getIncident } from '@/lib/domain/incidents/read-incidents';
import { readNotified } from '@/lib/domain/incidents/read-notified';
import { deleteMonitor, setMonitorsEnabled } from '@/lib/domain/monitors/change-selected';
import { readTimeline } from '@/lib/domain/timelines/read-timeline';
import { resolveOrphanedIncidents } from '@/lib/engine/upkeep/resolve-orphaned-incidents';
import { useTestDatabase } from '@/lib/testing/database';
import { beginDependencies } from './testing/dependency-story';

const database = useTestDatabase();
const begin = async (options: Parameters<typeof beginDependencies>[1] = {}) => {
  const story = await beginDependencies(database.db, options);
  await story.check([]);
  return story;
};
const SECOND = 1000;
/** Whether orphaned incidents are resolved before announcements are decided upon. */
const ORDERS = sized([true], { thorough: [true, false] });

describe('an outage of a monitor with dependencies', () => {
  it('is announced as soon as its dependency, checked at once, succeeds', async () => {
    const story = await begin();
    await story.check(['Shop'], { only: ['Shop'] });
    expect(await story.delivered('standard')).toEqual(['Shop: monitor.down', 'Shop: incident.created']);
    expect([await story.delivered('chat'), await story.noticed()]).toEqual([[], []]);
    await story.decide();
    expect([await story.delivered('chat'), await story.noticed()]).toEqual([[], []]);
    await story.check([], { afterMs: SECOND, only: ['Gateway'], isRequested: true });
    await story.decide();
    expect(await story.delivered('chat')).toEqual(['Shop: incident.created']);
    expect(await story.noticed()).toEqual(['Shop: monitor.down']);
    expect(await story.held()).toEqual([]);
    await story.check([]);
    expect(await story.delivered('chat')).toEqual(['Shop: incident.created', 'Shop: incident.resolved']);
    expect(await story.noticed()).toEqual(['Shop: monitor.down', 'Shop: monitor.up']);
  });

  it('is announced after the timeout of the check, or ten seconds, if there is no result', async () => {
    for (const [timeout, seconds] of [
      [5, 5],
      [30, 10],
    ] as const) {
      const story = await begin({ gateway: { timeout } });
      await story.check(['Shop'], { only: ['Shop'] });
      const next = await story.decide();
      expect(next).toEqual(new Date(story.clock.now().getTime() + SECOND));
      story.clock.advance(seconds * SECOND - 1);
      await story.decide();
      expect(await story.delivered('chat')).toEqual([]);
      story.clock.advance(SECOND);
      await story.decide();
      expect(await story.delivered('chat')).toEqual(['Shop: incident.created']);
    }
  });

  it('sends nothing to people if its dependency is found down, nor does its recovery', async () => {
    const story = await begin();
    await story.check(['Shop'], { only: ['Shop'] });
    await story.decide();
    await story.check(['Gateway'], { afterMs: SECOND, only: ['Gateway'], isRequested: true });
    expect(await story.decide()).toBeNull();
    await story.check(['Gateway', 'Shop']);
    expect(await story.decide()).toBeNull();
    await story.check([]);
    await story.decide();
    expect(await story.delivered('chat')).toEqual([
      'Gateway: incident.created',
      'Gateway: incident.resolved',
    ]);
    expect(await story.noticed()).toEqual(['Gateway: monitor.down', 'Gateway: monitor.up']);
    expect(await story.delivered('standard')).toEqual([
      'Shop: monitor.down',
      'Shop: incident.created',
      'Gateway: monitor.down',
      'Gateway: incident.created',
      ...(await story.delivered('standard')).slice(4),
    ]);
    expect((await story.delivered('standard')).slice(4).toSorted()).toEqual([
      'Gateway: monitor.up',
      'Shop: monitor.up',
    ]);
    expect(await story.held()).toMatchObject([{ causedByName: 'Gateway', endedAt: story.clock.now() }]);
  });

  it('names the cause in its events if that is down already', async () => {
    const story = await begin();
    await story.check(['Gateway'], { only: ['Gateway'] });
    await story.check(['Gateway', 'Shop'], { afterMs: 60 * SECOND });
    const events = await database.db.outboxEvent.findMany({
      where: { organizationId: story.organizationId },
      orderBy: { id: 'asc' },
    });
    const causes = events.map(({ kind, payload }) => [kind, JSON.parse(payload).causedBy]);
    const gateway = { id: story.idOf('Gateway'), name: 'Gateway' };
    expect(causes).toEqual([
      ['monitor.down', null],
      ['incident.created', null],
      ['monitor.down', gateway],
      ['incident.created', gateway],
    ]);
    expect(await story.delivered('chat')).toEqual(['Gateway: incident.created']);
    const { createdAt, id } = await database.db.incident.findFirstOrThrow({
      where: { monitorId: story.idOf('Shop') },
    });
    const notified = await readNotified(story.ctx, { id, createdAt });
    expect(notified).toMatchObject({ endpoints: [{ id: story.endpoints.standard }], suppressedBy: gateway });
    const timeline = await readTimeline(story.ctx, await getIncident(story.ctx, id));
    expect(timeline).toContainEqual(expect.objectContaining({ kind: 'suppression', cause: gateway }));
  });

  it('waits while checks of its dependency fail, for which it is checked again, and at most a minute', async () => {
    const story = await begin({ gateway: { alertThreshold: 10 } });
    await story.check(['Shop'], { only: ['Shop'] });
    await story.decide();
    for (let second = 0; second < 54; second += 6) {
      expect(
        await story.check(['Gateway'], { afterMs: 6 * SECOND, only: ['Gateway'], isRequested: true }),
      ).toBe(1);
      await story.decide();
    }
    expect(await story.delivered('chat')).toEqual([]);
    story.clock.advance(6 * SECOND);
    await story.decide();
    expect(await story.delivered('chat')).toEqual(['Shop: incident.created']);
  });

  it('is suppressed by what its dependency depends on', async () => {
    const story = await begin({ names: ['Shop', 'Router'] });
    await story.change('Router', { dependsOn: [story.idOf('Gateway')] });
    await story.change('Shop', { dependsOn: [story.idOf('Router')] });
    await story.check(['Gateway'], { only: ['Gateway'] });
    await story.check(['Gateway', 'Shop']);
    await story.decide();
    expect(await story.delivered('chat')).toEqual(['Gateway: incident.created']);
    expect(await story.held()).toMatchObject([{ causedByName: 'Gateway' }]);
  });

  it('is announced together with a recovery that comes before the decision', async () => {
    const story = await begin();
    await story.check(['Shop'], { only: ['Shop'] });
    await story.check([], { afterMs: 61 * SECOND, only: ['Shop'] });
    expect(await story.delivered('chat')).toEqual([]);
    await story.decide();
    expect(await story.delivered('chat')).toEqual(['Shop: incident.created', 'Shop: incident.resolved']);
    expect(await story.noticed()).toEqual(['Shop: monitor.down', 'Shop: monitor.up']);
  });
});

describe('a monitor that is still down after its dependency recovered', () => {
  const suppress = async (options: Parameters<typeof beginDependencies>[1] = {}) => {
    const story = await begin(options);
    await story.check(['Gateway'], { only: ['Gateway'] });
    await story.check(['Gateway', 'Shop']);
    await story.decide();
    return story;
  };

  it('is announced one interval later', async () => {
    const story = await suppress();
    await story.check(['Shop']);
    const recovered = story.clock.now().getTime();
    expect(await story.decide()).toEqual(new Date(recovered + 60 * SECOND));
    story.clock.advance(60 * SECOND - 1);
    await story.decide();
    expect(await story.noticed()).toEqual(['Gateway: monitor.down', 'Gateway: monitor.up']);
    story.clock.advance(1);
    await story.decide();
    expect((await story.delivered('chat')).at(-1)).toBe('Shop: incident.created');
    expect((await story.noticed()).at(-1)).toBe('Shop: monitor.down');
    await story.check([]);
    expect((await story.delivered('chat')).at(-1)).toBe('Shop: incident.resolved');
  });

  it('sends nothing if it recovers within the interval, or the dependency is down again', async () => {
    const recovering = await suppress();
    await recovering.check(['Shop'], { only: ['Gateway'] });
    await recovering.decide();
    await recovering.check([], { afterMs: 30 * SECOND });
    await recovering.decide();
    expect((await recovering.delivered('chat')).filter((sent) => sent.startsWith('Shop'))).toEqual([]);

    const failing = await suppress();
    await failing.check(['Shop'], { only: ['Gateway'] });
    await failing.decide();
    await failing.check(['Shop', 'Gateway'], { afterMs: 60 * SECOND });
    expect(await failing.decide()).toBeNull();
    expect((await failing.delivered('chat')).filter((sent) => sent.startsWith('Shop'))).toEqual([]);
  });

  it.each([
    [
      'is paused',
      (story: Awaited<ReturnType<typeof suppress>>) => story.change('Gateway', { enabled: false }),
    ],
    ['is deleted', (story) => deleteMonitor(story.ctx, story.idOf('Gateway'))],
    ['is no dependency any more', (story) => story.change('Shop', { dependsOn: [] })],
    [
      'is in maintenance',
      (story) =>
        database.db.monitorState.update({
          where: { monitorId: story.idOf('Gateway') },
          data: { statusBeforeMaintenance: 'down' },
        }),
    ],
    [
      'has no data',
      async (story) => {
        story.clock.advance(600 * SECOND);
        await story.decide({ isServed: false });
      },
    ],
  ] satisfies [string, (story: Awaited<ReturnType<typeof suppress>>) => Promise<unknown>][])(
    'is announced at once if the dependency %s',
    async (_, act) => {
      const story = await suppress();
      await act(story);
      await story.decide();
      expect((await story.delivered('chat')).at(-1)).toBe('Shop: incident.created');
      expect((await story.noticed()).at(-1)).toBe('Shop: monitor.down');
    },
  );

  it('ends quietly if it is paused or deleted while its dependency is down', async () => {
    for (const end of sized(['pause'], { thorough: ['pause', 'delete'] })) {
      const story = await suppress();
      if (end === 'pause') await setMonitorsEnabled(story.ctx, [story.idOf('Shop')], false);
      else await deleteMonitor(story.ctx, story.idOf('Shop'));
      await resolveOrphanedIncidents(story.services);
      await story.decide();
      expect(await story.delivered('chat')).toEqual(['Gateway: incident.created']);
      expect(await story.held()).toMatchObject([{ endedAt: story.clock.now() }]);
    }
  });

  it.each(['pause', 'delete'])(
    'ends quietly if it is %sd with its dependency, whatever is done first',
    async (end) => {
      for (const isOrphanedFirst of ORDERS) {
        const story = await suppress();
        const ids = [story.idOf('Gateway'), story.idOf('Shop')];
        if (end === 'pause') await setMonitorsEnabled(story.ctx, ids, false);
        else for (const id of ids) await deleteMonitor(story.ctx, id);
        if (isOrphanedFirst) await resolveOrphanedIncidents(story.services);
        await story.decide();
        await resolveOrphanedIncidents(story.services);
        story.clock.advance(1000);
        await story.decide();
        expect(await story.delivered('chat')).toEqual([
          'Gateway: incident.created',
          'Gateway: incident.resolved',
        ]);
        expect(await story.held()).toMatchObject([{ endedAt: expect.any(Date), lookAt: null }]);
      }
    },
  );
});

describe('no announcement is lost', () => {
  it.each(['pause', 'delete'])('if the monitor is %sd before the decision', async (end) => {
    for (const isOrphanedFirst of ORDERS) {
      const story = await begin();
      await story.check(['Shop'], { only: ['Shop'] });
      if (end === 'pause') await setMonitorsEnabled(story.ctx, [story.idOf('Shop')], false);
      else await deleteMonitor(story.ctx, story.idOf('Shop'));
      if (isOrphanedFirst) await resolveOrphanedIncidents(story.services);
      await story.decide();
      await resolveOrphanedIncidents(story.services);
      expect(await story.delivered('chat')).toEqual(['Shop: incident.created', 'Shop: incident.resolved']);
      expect(await story.noticed()).toEqual(['Shop: monitor.down']);
      expect(await story.held()).toEqual([]);
    }
  });

  it('if the dependency is paused, deleted or removed before the decision', async () => {
    for (const end of sized(['delete'], { thorough: ['pause', 'delete', 'remove'] })) {
      const story = await begin();
      await story.check(['Shop'], { only: ['Shop'] });
      if (end === 'pause') await story.change('Gateway', { enabled: false });
      if (end === 'delete') await deleteMonitor(story.ctx, story.idOf('Gateway'));
      if (end === 'remove') await story.change('Shop', { dependsOn: [] });
      await story.decide();
      expect(await story.delivered('chat')).toEqual(['Shop: incident.created']);
    }
  });

  it('if another cannot be decided, which is looked at again a minute later', async () => {
    const story = await begin({ names: ['Shop', 'Blog'] });
    await story.check(['Shop', 'Blog'], { only: ['Shop', 'Blog'] });
    await database.db.heldAnnouncement.updateMany({
      where: { monitorId: story.idOf('Shop') },
      data: { notice: { kind: 'monitor.down', occurredAt: 'never' } },
    });
    story.clock.advance(10 * SECOND);
    await story.decide();
    expect(await story.delivered('chat')).toEqual(['Blog: incident.created']);
    const [postponed] = await story.held();
    expect(postponed?.lookAt).toEqual(new Date(story.clock.now().getTime() + 60 * SECOND));
  });
});
