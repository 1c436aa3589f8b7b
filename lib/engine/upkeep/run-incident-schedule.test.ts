import { describe, expect, it } from 'vitest';
import { updateIncident } from '@/lib/domain/incidents/change-incident';
import { createIncident } from '@/lib/domain/incidents/create-incident';
import { getIncident } from '@/lib/domain/incidents/read-incidents';
import {
  addIncidentUpdate,
  cancelScheduledUpdate,
  changeScheduledUpdate,
} from '@/lib/domain/incidents/schedule/schedule-update';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { beginStory, FAILED, OK } from '@/lib/engine/testing/story';
import {
  createIncidentSchema,
  createIncidentUpdateSchema,
  MAX_SCHEDULED_UPDATES,
  scheduledUpdateChangesSchema,
} from '@/lib/schemas/incidents/incident';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useTestDatabase } from '@/lib/testing/database';
import { openCountingDatabase } from '@/lib/testing/statements';
import { runIncidentSchedule } from './run-incident-schedule';

const MINUTE = 60_000;
const database = useTestDatabase();

/** An incident with an operational monitor and a receiver of incident events; `run` is what four workers do at the same time. */
async function begin(fields: object = {}) {
  const story = await beginStory(database.db);
  const webhook = { url: 'http://receiver.test/', events: ['incident.updated', 'incident.resolved'] };
  await createWebhook(story.ctx, createWebhookSchema.parse(webhook));
  const monitor = await story.addMonitor({ alertThreshold: 1, interval: 60 });
  await story.check(OK, { afterMs: 0 });
  const body = { title: 'Checkout is slow', affectedMonitors: [monitor.id], ...fields };
  const { id } = await createIncident(story.ctx, createIncidentSchema.parse(body));
  const inMinutes = (minutes: number) => new Date(story.clock.now().getTime() + minutes * MINUTE);
  return {
    ...story,
    id,
    inMinutes,
    read: () => getIncident(story.ctx, id),
    add: (update: object) => addIncidentUpdate(story.ctx, id, createIncidentUpdateSchema.parse(update)),
    later: (minutes: number, update: object = {}) =>
      addIncidentUpdate(
        story.ctx,
        id,
        createIncidentUpdateSchema.parse({
          message: 'More soon.',
          publishAt: inMinutes(minutes).toISOString(),
          ...update,
        }),
      ),
    run: (afterMinutes = 0) => {
      story.clock.advance(afterMinutes * MINUTE);
      return Promise.all([1, 2, 3, 4].map(() => runIncidentSchedule(story.services)));
    },
    events: async () => {
      const where = { organizationId: story.organizationId };
      const events = await database.db.outboxEvent.findMany({ where, orderBy: { id: 'asc' } });
      return events.map((event) => JSON.parse(event.payload));
    },
  };
}

describe('an incident with a quiet time', () => {
  it('is resolved after it, once, with an update and an event', async () => {
    const story = await begin({ status: 'monitoring', resolveAfterMinutes: 5 });
    await story.run(4);
    expect(await story.read()).toMatchObject({ status: 'monitoring', version: 1 });
    await story.run(1);
    const resolved = await story.read();
    const at = story.clock.now().toISOString();
    expect(resolved).toMatchObject({ status: 'resolved', resolvedAt: at, version: 2 });
    expect(resolved.updates).toMatchObject([
      { status: 'resolved', message: expect.stringContaining('for 5 minutes'), author: null, createdAt: at },
      { status: 'monitoring' },
    ]);
    await story.run(10);
    expect((await story.events()).map(({ event }) => event)).toEqual(['incident.resolved']);
  });

  it('starts counting again when a monitor is down', async () => {
    const story = await begin({ status: 'monitoring', resolveAfterMinutes: 5 });
    await story.check(FAILED, { afterMs: 4 * MINUTE });
    await story.run(1);
    await story.check(OK, { afterMs: 2 * MINUTE });
    await story.run(4);
    expect(await story.read()).toMatchObject({ status: 'monitoring', version: 1 });
    await story.run(1);
    expect(await story.read()).toMatchObject({ status: 'resolved' });
  });

  it('counts from when it is monitoring, and stops when it is not', async () => {
    const story = await begin({ resolveAfterMinutes: 5 });
    await story.run(10);
    expect(await story.read()).toMatchObject({ status: 'investigating' });
    await story.add({ message: 'A fix is out.', status: 'monitoring' });
    await story.run(4);
    await story.add({ message: 'Not fixed.', status: 'identified' });
    await story.run(10);
    expect(await story.read()).toMatchObject({ status: 'identified' });
    await story.add({ message: 'Fixed now.', status: 'monitoring', resolveAfterMinutes: 2 });
    await story.run(2);
    expect(await story.read()).toMatchObject({ status: 'resolved' });
  });

  it('keeps counting from the same time when the quiet time changes', async () => {
    const story = await begin({ status: 'monitoring', resolveAfterMinutes: 30 });
    await story.run(4);
    await updateIncident(story.ctx, story.id, { resolveAfterMinutes: 5 });
    await story.run(0);
    expect(await story.read()).toMatchObject({ status: 'monitoring' });
    await story.run(1);
    expect(await story.read()).toMatchObject({ status: 'resolved' });
  });

  it('without monitors counts as quiet; without a quiet time it stays', async () => {
    const quiet = await begin({ status: 'monitoring', resolveAfterMinutes: 1, affectedMonitors: [] });
    const kept = await begin({ status: 'monitoring', resolveAfterMinutes: 1 });
    await updateIncident(kept.ctx, kept.id, { resolveAfterMinutes: null });
    await quiet.run(1);
    await kept.run(1);
    expect([await quiet.read(), await kept.read()]).toMatchObject([
      { status: 'resolved' },
      { status: 'monitoring', version: 2 },
    ]);
  });
});

describe('a scheduled update', () => {
  it('is listed, then published once, with the time it was published, under its ID', async () => {
    const story = await begin();
    const publishAt = story.inMinutes(10).toISOString();
    const translations = { de: { message: 'Bald mehr.' } };
    const scheduled = await story.later(10, { status: 'identified', translations });
    const [update] = scheduled.scheduledUpdates;
    expect(update).toMatchObject({ status: 'identified', message: 'More soon.', publishAt, droppedAt: null });
    expect(scheduled).toMatchObject({ status: 'investigating', version: 2, updates: [{}] });
    await story.run(9);
    expect((await story.read()).updates).toHaveLength(1);
    await story.run(2);
    const published = await story.read();
    const at = story.clock.now().toISOString();
    expect(published).toMatchObject({ status: 'identified', scheduledUpdates: [] });
    expect(published.updates).toMatchObject([
      {
        id: update?.id,
        status: 'identified',
        message: 'More soon.',
        translations,
        author: update?.author,
        createdAt: at,
      },
      {},
    ]);
    expect(await story.events()).toMatchObject([
      { event: 'incident.updated', incident: { previousStatus: 'investigating', message: 'More soon.' } },
    ]);
  });

  it('can be changed and canceled until then', async () => {
    const story = await begin();
    await story.later(10);
    const { scheduledUpdates } = await story.later(20);
    const [first, second] = scheduledUpdates.map(({ id }) => id);
    const publishAt = story.inMinutes(30);
    const moved = await changeScheduledUpdate(story.ctx, story.id, first ?? '', {
      message: 'Later.',
      publishAt,
    });
    expect(moved.scheduledUpdates).toMatchObject([{ id: second }, { id: first, message: 'Later.' }]);
    await cancelScheduledUpdate(story.ctx, story.id, second ?? '');
    await story.run(25);
    expect((await story.read()).updates).toHaveLength(1);
    await story.run(5);
    expect((await story.read()).updates).toMatchObject([{ id: first, message: 'Later.' }, {}]);
    const again = cancelScheduledUpdate(story.ctx, story.id, first ?? '');
    await expect(again).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('sets a quiet time, ends it, or leaves it as it is', async () => {
    const story = await begin({ status: 'monitoring', affectedMonitors: [] });
    const quietTime = async (minutes: number) => {
      await story.run(minutes);
      return (await story.read()).resolveAfterMinutes;
    };
    await story.later(1, { resolveAfterMinutes: 5 });
    expect(await quietTime(1)).toBe(5);
    await story.later(1);
    expect(await quietTime(1)).toBe(5);
    const { scheduledUpdates } = await story.later(1, { resolveAfterMinutes: null });
    expect(scheduledUpdates).toMatchObject([{ resolveAfterMinutes: 0 }]);
    expect(await quietTime(1)).toBeNull();
    await story.run(10);
    expect(await story.read()).toMatchObject({ status: 'monitoring' });
  });

  it('can be sent back as it is; a change of its quiet time is audited', async () => {
    const story = await begin();
    const { scheduledUpdates, version } = await story.later(10, { resolveAfterMinutes: null });
    const [update] = scheduledUpdates;
    const change = (fields: object) =>
      changeScheduledUpdate(
        ...([story.ctx, story.id, update?.id ?? ''] as const),
        scheduledUpdateChangesSchema.parse(fields),
      );
    expect(await change({ ...update })).toMatchObject({ scheduledUpdates, version });
    const changed = await change({ resolveAfterMinutes: null });
    expect(changed.scheduledUpdates).toMatchObject([{ resolveAfterMinutes: null }]);
    const { before, after } = await database.db.auditEntry.findFirstOrThrow({
      where: { organizationId: story.organizationId, action: 'incident.update' },
      orderBy: { id: 'desc' },
    });
    expect([before, after]).toMatchObject([
      { scheduledUpdate: { resolveAfterMinutes: 0 } },
      { scheduledUpdate: { resolveAfterMinutes: null } },
    ]);
  });

  it('of a resolved incident is dropped, which it shows, until it gets a new time', async () => {
    const story = await begin();
    await story.later(10);
    await updateIncident(story.ctx, story.id, { status: 'resolved' });
    await story.run(10);
    const dropped = await story.read();
    const droppedAt = story.clock.now().toISOString();
    expect(dropped).toMatchObject({ status: 'resolved', scheduledUpdates: [{ droppedAt }], version: 4 });
    expect(dropped.updates).toHaveLength(2);
    await story.run(10);
    expect(await story.read()).toEqual(dropped);
    await updateIncident(story.ctx, story.id, { status: 'investigating' });
    const update = dropped.scheduledUpdates[0]?.id ?? '';
    await changeScheduledUpdate(story.ctx, story.id, update, { publishAt: story.inMinutes(1) });
    await story.run(1);
    expect((await story.read()).updates[0]).toMatchObject({ id: update });
  });

  it('is within the next year, and one of at most 20', async () => {
    const story = await begin();
    for (const minutes of [0, -1, 367 * 1440]) {
      await expect(story.later(minutes)).rejects.toMatchObject({ details: [{ path: 'publishAt' }] });
    }
    for (let n = 0; n < MAX_SCHEDULED_UPDATES; n++) await story.later(n + 1);
    await expect(story.later(1)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

it('a run without anything due is one statement', async () => {
  const story = await begin({ status: 'monitoring', resolveAfterMinutes: 5 });
  await story.later(10);
  const counting = openCountingDatabase(database.url);
  const services = { ...story.services, db: counting.db };
  expect(await counting.count(() => runIncidentSchedule(services))).toBe(1);
});
