import { describe, expect, it } from 'vitest';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { beginStory, FAILED, OK } from '@/lib/engine/testing/story';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useTestDatabase } from '@/lib/testing/database';
import { beginMaintenance, endMaintenance } from './run-maintenance-windows';

const database = useTestDatabase();

async function begin() {
  const story = await beginStory(database.db);
  await createWebhook(story.ctx, createWebhookSchema.parse({ url: 'http://receiver.test/' }));
  const { id } = await story.addMonitor({ alertThreshold: 1 });
  await story.check(OK, { afterMs: 0 });
  return {
    ...story,
    id,
    enter: () => database.db.$transaction((tx) => beginMaintenance(tx, story.services, [id])),
    leave: () => database.db.$transaction((tx) => endMaintenance(tx, story.services, [id])),
    events: async () => {
      const where = { organizationId: story.organizationId };
      const events = await database.db.outboxEvent.findMany({ where, orderBy: { id: 'asc' } });
      return events.map((event) => event.kind);
    },
    states: async () => {
      const periods = await database.db.statusPeriod.findMany({
        where: { monitorId: id },
        orderBy: { id: 'asc' },
      });
      return periods.filter(({ from, to }) => from.getTime() !== to?.getTime()).map(({ state }) => state);
    },
    monitor: () => getMonitor(story.ctx, id),
  };
}

describe('maintenance', () => {
  it('continues checks and status changes, notifies nobody, and is excluded from uptime', async () => {
    const story = await begin();
    story.clock.advance(90_000);
    await story.enter();
    await story.check(FAILED);
    expect(await story.monitor()).toMatchObject({ status: 'down', uptimePercentage: 100 });
    await story.check(OK);
    expect(await story.monitor()).toMatchObject({ status: 'operational', uptimePercentage: 100 });
    await story.leave();
    await story.check(OK);
    expect(await story.events()).toEqual([]);
    expect(await story.states()).toEqual(['operational', 'maintenance', 'operational']);
  });

  it('notifies at its end of what is down then, dated to the end', async () => {
    const story = await begin();
    story.clock.advance(90_000);
    await story.enter();
    await story.check(FAILED);
    await story.leave();
    const endedAt = story.clock.now();
    expect(await story.monitor()).toMatchObject({ status: 'down' });
    expect(await story.events()).toEqual(['monitor.down', 'incident.created']);
    expect(await story.states()).toEqual(['operational', 'maintenance', 'down']);
    const current = await database.db.statusPeriod.findFirstOrThrow({
      where: { monitorId: story.id, to: null },
    });
    expect(current.from).toEqual(endedAt);
  });

  it('notifies at its end of recoveries, excluding the maintenance from downtime', async () => {
    const story = await begin();
    await story.check(FAILED);
    story.clock.advance(60_000);
    await story.enter();
    await story.check(OK, { afterMs: 3_600_000 });
    await story.leave();
    expect(await story.events()).toEqual([
      'monitor.down',
      'incident.created',
      'monitor.up',
      'incident.resolved',
    ]);
    const up = await database.db.outboxEvent.findFirstOrThrow({
      where: { organizationId: story.organizationId, kind: 'monitor.up' },
    });
    expect(JSON.parse(up.payload).details.downtime).toBe('1m');
  });

  it('changes nothing when it starts twice', async () => {
    const story = await begin();
    story.clock.advance(1000);
    await story.enter();
    await story.check(FAILED);
    await story.enter();
    await story.leave();
    expect(await story.events()).toEqual(['monitor.down', 'incident.created']);
  });
});
