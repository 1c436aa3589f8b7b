import { describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import {
  createIncidentSchema,
  incidentsQuerySchema,
  updateIncidentSchema,
} from '@/lib/schemas/incidents/incident';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { openCountingDatabase } from '@/lib/testing/statements';
import { addIncidentUpdate, deleteIncident, updateIncident } from './change-incident';
import { createIncident } from './create-incident';
import { followStatus, type StatusChange } from './follow-status';
import { getIncident, listIncidents } from './read-incidents';

const START = new Date('2026-03-01T12:00:00.000Z');
const MINUTE = 60_000;
const database = useTestDatabase();

async function begin() {
  const clock = createManualClock(START);
  const services = createTestServices({ db: database.db, clock });
  const { ctx, organizationId } = await createTestOrganization(services);
  await createWebhook(ctx, createWebhookSchema.parse({ url: 'http://receiver.test/' }));
  return {
    clock,
    services,
    ctx,
    open: (fields: object = {}) =>
      createIncident(ctx, createIncidentSchema.parse({ title: 'Checkout is slow', ...fields })),
    addMonitor: async () => {
      const input = createMonitorSchema.parse({ name: 'Shop', url: 'http://shop.test/' });
      return (await createMonitor(ctx, input)).id;
    },
    /** Applies a status change of the monitor, as the engine does. */
    follow: async (monitorId: string, status: StatusChange['status']) => {
      const change = {
        organizationId,
        monitorId,
        monitorName: 'Shop',
        status,
        at: clock.now(),
        since: clock.now(),
      };
      const [followed] = await database.db.$transaction((tx) => followStatus(tx, [change]));
      return followed?.incident?.id ?? '';
    },
    list: (query: object = {}) => listIncidents(ctx, incidentsQuerySchema.parse(query)),
    /** The events sent so far, oldest first. */
    told: async () => {
      const deliveries = await database.db.delivery.findMany({
        where: { organizationId },
        include: { event: true },
        orderBy: { number: 'asc' },
      });
      return deliveries.map(({ event }) => JSON.parse(event.payload));
    },
  };
}

describe('a manual incident', () => {
  it('starts as investigating and major with a first update and sends an event', async () => {
    const story = await begin();
    const monitor = await story.addMonitor();
    const incident = await story.open({ description: 'We look into it.', affectedMonitors: [monitor] });
    expect(incident).toEqual({
      id: expect.stringMatching(/^inc_/),
      title: 'Checkout is slow',
      description: 'We look into it.',
      status: 'investigating',
      severity: 'major',
      affectedMonitors: [monitor],
      automatic: false,
      startedAt: START.toISOString(),
      createdAt: START.toISOString(),
      updatedAt: START.toISOString(),
      resolvedAt: null,
      postmortem: null,
      postmortemPublished: false,
      updates: [
        {
          id: expect.stringMatching(/^upd_/),
          status: 'investigating',
          message: 'We look into it.',
          author: expect.stringContaining('First key'),
          createdAt: START.toISOString(),
        },
      ],
    });
    const { id, title, description, status, severity, affectedMonitors } = incident;
    expect(await story.told()).toEqual([
      {
        event: 'incident.created',
        timestamp: START.toISOString(),
        incident: { id, title, description, status, severity, affectedMonitors },
      },
    ]);
  });

  it('takes statuses in any order and sends each with the previous status and the message', async () => {
    const story = await begin();
    const { id } = await story.open();
    story.clock.advance(MINUTE);
    const monitoring = await addIncidentUpdate(story.ctx, id, { status: 'monitoring', message: 'Fixed.' });
    expect(monitoring.updates.map(({ status, message }) => [status, message])).toEqual([
      ['monitoring', 'Fixed.'],
      ['investigating', 'Checkout is slow'],
    ]);
    story.clock.advance(MINUTE);
    const identified = await updateIncident(story.ctx, id, { status: 'identified' });
    expect(identified.updates[0]).toMatchObject({
      status: 'identified',
      message: expect.stringMatching(/./),
    });
    expect(await story.told()).toMatchObject([
      { event: 'incident.created' },
      {
        event: 'incident.updated',
        timestamp: '2026-03-01T12:01:00.000Z',
        incident: { status: 'monitoring', previousStatus: 'investigating', message: 'Fixed.' },
      },
      {
        event: 'incident.updated',
        incident: { status: 'identified', previousStatus: 'monitoring', message: expect.any(String) },
      },
    ]);
  });

  it('is resolved with its duration and sends only incident.resolved', async () => {
    const story = await begin();
    const { id } = await story.open();
    story.clock.advance(65 * MINUTE);
    const resolved = await addIncidentUpdate(story.ctx, id, { status: 'resolved', message: 'Over.' });
    expect(resolved).toMatchObject({ status: 'resolved', resolvedAt: '2026-03-01T13:05:00.000Z' });
    expect((await story.told()).slice(1)).toMatchObject([
      {
        event: 'incident.resolved',
        incident: { id, status: 'resolved', resolvedAt: '2026-03-01T13:05:00.000Z', duration: '1h 5m' },
      },
    ]);
  });

  it('is reopened by another status', async () => {
    const story = await begin();
    const { id } = await story.open();
    await updateIncident(story.ctx, id, { status: 'resolved' });
    story.clock.advance(MINUTE);
    const reopened = await updateIncident(story.ctx, id, { status: 'identified', message: 'It is back.' });
    expect(reopened).toMatchObject({ status: 'identified', resolvedAt: null });
    expect((await story.told()).at(-1)).toMatchObject({
      event: 'incident.updated',
      incident: { previousStatus: 'resolved', message: 'It is back.' },
    });
  });

  it('takes a message without a status change and sends no event', async () => {
    const story = await begin();
    const { id } = await story.open();
    story.clock.advance(MINUTE);
    await addIncidentUpdate(story.ctx, id, { message: 'Still looking.' });
    const said = await addIncidentUpdate(story.ctx, id, { status: 'investigating', message: 'And looking.' });
    expect(said.updates).toHaveLength(3);
    expect(said.updatedAt).toBe(story.clock.now().toISOString());
    await updateIncident(story.ctx, id, { status: 'resolved' });
    const afterwards = await addIncidentUpdate(story.ctx, id, { message: 'What happened, in short.' });
    expect(afterwards).toMatchObject({ status: 'resolved', updates: { length: 5 } });
    expect((await story.told()).map(({ event }) => event)).toEqual(['incident.created', 'incident.resolved']);
  });

  it('sends no event for a new title, description, severity or monitors', async () => {
    const story = await begin();
    const monitor = await story.addMonitor();
    const { id } = await story.open();
    const changes = { title: 'New', description: 'Other', severity: 'minor' as const };
    const changed = await updateIncident(story.ctx, id, { ...changes, affectedMonitors: [monitor] });
    expect(changed).toMatchObject({ ...changes, affectedMonitors: [monitor], updates: { length: 1 } });
    expect(await story.told()).toHaveLength(1);
  });

  it('accepts a fetched incident unchanged, even with deleted monitors, and does nothing without fields', async () => {
    const story = await begin();
    const monitor = await story.addMonitor();
    const made = await story.open({ affectedMonitors: [monitor] });
    await database.db.monitor.delete({ where: { id: monitor } });
    story.clock.advance(MINUTE);
    expect(await updateIncident(story.ctx, made.id, updateIncidentSchema.parse({}))).toEqual(made);
    const whole = await updateIncident(story.ctx, made.id, updateIncidentSchema.parse(made));
    expect(whole).toEqual({ ...made, updatedAt: story.clock.now().toISOString() });
  });

  it('sends created and resolved if it is created as resolved', async () => {
    const story = await begin();
    expect(await story.open({ status: 'resolved' })).toMatchObject({ resolvedAt: START.toISOString() });
    const told = await story.told();
    expect(told.map(({ event }) => event)).toEqual(['incident.created', 'incident.resolved']);
  });

  it('rejects monitors of other organizations, naming their index', async () => {
    const [story, other] = [await begin(), await begin()];
    const [own, foreign] = [await story.addMonitor(), await other.addMonitor()];
    const refusal = {
      code: 'UNKNOWN_MONITOR',
      details: [{ path: 'affectedMonitors.1' }, { path: 'affectedMonitors.2' }],
    };
    const affectedMonitors = [own, foreign, 'mon_\0'];
    await expect(story.open({ affectedMonitors })).rejects.toMatchObject(refusal);
    const { id } = await story.open();
    await expect(updateIncident(story.ctx, id, { affectedMonitors })).rejects.toMatchObject(refusal);
    expect(await story.told()).toHaveLength(1);
  });

  it('keeps a postmortem as a draft until it is published and sends no event', async () => {
    const story = await begin();
    const { id } = await story.open();
    const change = (body: object) => updateIncident(story.ctx, id, updateIncidentSchema.parse(body));
    const draft = { postmortem: '## What happened\nA disk was full.', postmortemPublished: false };
    expect(await change({ postmortem: ` ${draft.postmortem}\n` })).toMatchObject(draft);
    const published = await change({ postmortemPublished: true });
    expect(published).toMatchObject({ ...draft, postmortemPublished: true, updates: { length: 1 } });
    expect(await change(published)).toMatchObject({ postmortemPublished: true });
    expect(await change({ postmortem: '' })).toMatchObject({ postmortem: null, postmortemPublished: false });
    await expect(change({ postmortemPublished: true })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await story.told()).toHaveLength(1);
  });

  it('is deleted without an event', async () => {
    const story = await begin();
    const { id } = await story.open();
    await deleteIncident(story.ctx, id);
    await expect(getIncident(story.ctx, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await story.told()).toHaveLength(1);
  });
});

describe('an automatic incident', () => {
  it('stays resolved by a person until the next transition opens another', async () => {
    const story = await begin();
    const monitor = await story.addMonitor();
    const id = await story.follow(monitor, 'down');
    await updateIncident(story.ctx, id, { status: 'resolved', message: 'A false alarm.' });
    expect(await story.follow(monitor, 'operational')).toBe('');
    expect(await getIncident(story.ctx, id)).toMatchObject({ automatic: true, status: 'resolved' });
    expect(await story.follow(monitor, 'down')).not.toBe(id);
  });

  it('continues from the status set by a person', async () => {
    const story = await begin();
    const monitor = await story.addMonitor();
    const id = await story.follow(monitor, 'down');
    await updateIncident(story.ctx, id, { status: 'identified' });
    expect(await story.follow(monitor, 'operational')).toBe(id);
    expect(await getIncident(story.ctx, id)).toMatchObject({ status: 'resolved', updates: { length: 3 } });
  });

  it('cannot be reopened while a newer one is open', async () => {
    const story = await begin();
    const monitor = await story.addMonitor();
    const id = await story.follow(monitor, 'down');
    await story.follow(monitor, 'operational');
    await updateIncident(story.ctx, id, { status: 'monitoring' });
    await updateIncident(story.ctx, id, { status: 'resolved' });
    await story.follow(monitor, 'down');
    const reopening = updateIncident(story.ctx, id, { status: 'monitoring' });
    await expect(reopening).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('keeps every concurrent update, with one status change for each that changed it', async () => {
    const story = await begin();
    const id = await story.follow(await story.addMonitor(), 'down');
    await Promise.all(
      Array.from({ length: 6 }, () =>
        addIncidentUpdate(story.ctx, id, { status: 'resolved', message: 'Over.' }),
      ),
    );
    expect((await getIncident(story.ctx, id)).updates).toHaveLength(7);
    expect((await story.told()).map(({ event }) => event)).toEqual(['incident.resolved']);
  });
});

describe('the list of incidents', () => {
  it('is newest first, in pages that contain each incident once, even within one millisecond', async () => {
    const story = await begin();
    for (let incident = 0; incident < 5; incident++) await story.open({ title: `Incident ${incident}` });
    story.clock.advance(MINUTE);
    await story.open({ title: 'Newest' });
    const titles: string[] = [];
    let cursor = null;
    do {
      const page = await listIncidents(story.ctx, {
        ...incidentsQuerySchema.parse({ limit: '2' }),
        ...(cursor ? { cursor } : {}),
      });
      titles.push(...page.items.map(({ title }) => title));
      cursor = page.next;
    } while (cursor);
    expect(titles).toEqual(['Newest', ...[4, 3, 2, 1, 0].map((number) => `Incident ${number}`)]);
  });

  it('is filtered by status, severity, origin and monitor', async () => {
    const story = await begin();
    const monitor = await story.addMonitor();
    const automatic = await story.follow(monitor, 'down');
    const { id: minor } = await story.open({ severity: 'minor', affectedMonitors: [monitor] });
    const { id: resolved } = await story.open({ status: 'resolved' });
    const ids = async (query: object) => (await story.list(query)).items.map(({ id }) => id);
    expect(await ids({ status: 'resolved' })).toEqual([resolved]);
    expect(await ids({ open: 'true' })).toEqual([minor, automatic]);
    expect(await ids({ open: 'false' })).toEqual([resolved]);
    expect(await ids({ severity: 'minor' })).toEqual([minor]);
    expect(await ids({ automatic: 'true' })).toEqual([automatic]);
    expect(await ids({ automatic: 'false' })).toEqual([resolved, minor]);
    expect(await ids({ monitor })).toEqual([minor, automatic]);
    expect(await ids({ monitor, severity: 'critical' })).toEqual([automatic]);
  });

  it('takes as many queries for many incidents as for one', async () => {
    const story = await begin();
    const counting = openCountingDatabase(database.url);
    const query = incidentsQuerySchema.parse({});
    const count = () => counting.count(() => listIncidents({ ...story.ctx, db: counting.db }, query));
    await story.open();
    const forOne = await count();
    for (let incident = 0; incident < 5; incident++) {
      const { id } = await story.open();
      await addIncidentUpdate(story.ctx, id, { message: 'Still looking.' });
    }
    expect(await count()).toBe(forOne);
    await counting.db.$disconnect();
  });

  it('and all other verbs do not see other organizations', async () => {
    const [story, other] = [await begin(), await begin()];
    const { id } = await story.open();
    expect((await other.list()).items).toEqual([]);
    const refusal = { code: 'NOT_FOUND' };
    await expect(getIncident(other.ctx, id)).rejects.toMatchObject(refusal);
    await expect(updateIncident(other.ctx, id, { title: 'Mine' })).rejects.toMatchObject(refusal);
    await expect(updateIncident(other.ctx, id, {})).rejects.toMatchObject(refusal);
    await expect(addIncidentUpdate(other.ctx, id, { message: 'x' })).rejects.toMatchObject(refusal);
    await expect(deleteIncident(other.ctx, id)).rejects.toMatchObject(refusal);
    expect(await getIncident(story.ctx, id)).toMatchObject({ title: 'Checkout is slow' });
  });
});
