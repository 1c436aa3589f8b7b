import { describe, expect, it } from 'vitest';
import { updateIncidentSchema } from '@/lib/schemas/incidents/incident';
import { useSharedDatabase } from '@/lib/testing/database';
import { deleteIncident, updateIncident } from './change-incident';
import { getIncident } from './read-incidents';
import { beginStory, START } from './testing/story';

const MINUTE = 60_000;
const database = useSharedDatabase();

describe('a manual incident', () => {
  it('starts as investigating and major with a first update and sends an event', async () => {
    const story = await beginStory(database);
    const monitor = await story.addMonitor();
    const incident = await story.open({ description: 'We look into it.', affectedMonitors: [monitor] });
    expect(incident).toEqual({
      acknowledgedAt: null,
      acknowledgedBy: null,
      affectedComponents: [],
      resolveAfterMinutes: null,
      impacts: {},
      translations: {},
      scheduledUpdates: [],
      id: expect.stringMatching(/^inc_/),
      title: 'Checkout is slow',
      description: 'We look into it.',
      status: 'investigating',
      severity: 'major',
      affectedMonitors: [monitor],
      automatic: false,
      version: 1,
      startedAt: START.toISOString(),
      createdAt: START.toISOString(),
      updatedAt: START.toISOString(),
      resolvedAt: null,
      postmortem: null,
      postmortemPublished: false,
      publishedOn: [],
      updates: [
        {
          id: expect.stringMatching(/^upd_/),
          status: 'investigating',
          message: 'We look into it.',
          translations: {},
          author: expect.stringContaining('First key'),
          createdAt: START.toISOString(),
        },
      ],
    });
    const { id, title, description, status, severity, affectedMonitors } = incident;
    expect(await story.readEvents()).toEqual([
      {
        id: expect.stringMatching(/^evt_/),
        event: 'incident.created',
        causedBy: null,
        timestamp: START.toISOString(),
        incident: {
          id,
          title,
          description,
          status,
          severity,
          affectedMonitors,
          affectedComponents: [],
          impacts: {},
        },
      },
    ]);
  });

  it('takes statuses in any order and sends each with the previous status and the message', async () => {
    const story = await beginStory(database);
    const { id } = await story.open();
    story.clock.advance(MINUTE);
    const monitoring = await updateIncident(story.ctx, id, { status: 'monitoring', message: 'Fixed.' });
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
    expect(await story.readEvents()).toMatchObject([
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
    const story = await beginStory(database);
    const { id } = await story.open();
    story.clock.advance(65 * MINUTE);
    const resolved = await updateIncident(story.ctx, id, { status: 'resolved', message: 'Over.' });
    expect(resolved).toMatchObject({ status: 'resolved', resolvedAt: '2026-03-01T13:05:00.000Z' });
    expect((await story.readEvents()).slice(1)).toMatchObject([
      {
        event: 'incident.resolved',
        incident: { id, status: 'resolved', resolvedAt: '2026-03-01T13:05:00.000Z', duration: '1h 5m' },
      },
    ]);
  });

  it('is reopened by another status', async () => {
    const story = await beginStory(database);
    const { id } = await story.open();
    await updateIncident(story.ctx, id, { status: 'resolved' });
    story.clock.advance(MINUTE);
    const reopened = await updateIncident(story.ctx, id, { status: 'identified', message: 'It is back.' });
    expect(reopened).toMatchObject({ status: 'identified', resolvedAt: null });
    expect((await story.readEvents()).at(-1)).toMatchObject({
      event: 'incident.updated',
      incident: { previousStatus: 'resolved', message: 'It is back.' },
    });
  });

  it('takes a message without a status change and sends no event', async () => {
    const story = await beginStory(database);
    const { id } = await story.open();
    story.clock.advance(MINUTE);
    await updateIncident(story.ctx, id, { message: 'Still looking.' });
    const updated = await updateIncident(story.ctx, id, { status: 'investigating', message: 'And looking.' });
    expect(updated.updates).toHaveLength(3);
    expect(updated.updatedAt).toBe(story.clock.now().toISOString());
    await updateIncident(story.ctx, id, { status: 'resolved' });
    const afterwards = await updateIncident(story.ctx, id, { message: 'What happened, in short.' });
    expect(afterwards).toMatchObject({ status: 'resolved', updates: { length: 5 } });
    expect((await story.readEvents()).map(({ event }) => event)).toEqual([
      'incident.created',
      'incident.resolved',
    ]);
  });

  it('sends an event for a new title, severity or monitors, and none for another description', async () => {
    const story = await beginStory(database);
    const monitor = await story.addMonitor();
    const { id } = await story.open();
    const fields = { title: 'New', severity: 'minor' as const, affectedMonitors: [monitor] };
    for (const [name, value] of Object.entries(fields)) {
      const before = (await story.readEvents()).length;
      await updateIncident(story.ctx, id, { [name]: value });
      const [event, ...more] = (await story.readEvents()).slice(before);
      expect(more).toEqual([]);
      expect(event).toMatchObject({
        event: 'incident.updated',
        incident: { [name]: value, previousStatus: 'investigating' },
      });
    }
    const changed = await updateIncident(story.ctx, id, { description: 'Other' });
    expect(changed).toMatchObject({ ...fields, description: 'Other', updates: { length: 1 } });
    expect(await story.readEvents()).toHaveLength(4);
  });

  it('accepts a fetched incident unchanged, even with deleted monitors, and does nothing without fields', async () => {
    const story = await beginStory(database);
    const monitor = await story.addMonitor();
    const created = await story.open({ affectedMonitors: [monitor] });
    await database.db.monitor.delete({ where: { id: monitor } });
    story.clock.advance(MINUTE);
    expect(await updateIncident(story.ctx, created.id, updateIncidentSchema.parse({}))).toEqual(created);
    const unchanged = await updateIncident(story.ctx, created.id, updateIncidentSchema.parse(created));
    expect(unchanged).toEqual(created);
    const updated = await updateIncident(story.ctx, created.id, { message: 'We look into it.' });
    expect(updated).toMatchObject({ version: 2, updates: { length: 2 } });
  });

  it('sends created and resolved if it is created as resolved', async () => {
    const story = await beginStory(database);
    expect(await story.open({ status: 'resolved' })).toMatchObject({ resolvedAt: START.toISOString() });
    const events = await story.readEvents();
    expect(events.map(({ event }) => event)).toEqual(['incident.created', 'incident.resolved']);
  });

  it('rejects monitors of other organizations, naming their index', async () => {
    const [story, other] = [await beginStory(database), await beginStory(database)];
    const [own, foreign] = [await story.addMonitor(), await other.addMonitor()];
    const rejection = {
      code: 'UNKNOWN_MONITOR',
      details: [{ path: 'affectedMonitors.1' }, { path: 'affectedMonitors.2' }],
    };
    const affectedMonitors = [own, foreign, 'mon_\0'];
    await expect(story.open({ affectedMonitors })).rejects.toMatchObject(rejection);
    const { id } = await story.open();
    await expect(updateIncident(story.ctx, id, { affectedMonitors })).rejects.toMatchObject(rejection);
    expect(await story.readEvents()).toHaveLength(1);
  });

  it('keeps a postmortem as a draft until it is published and sends no event', async () => {
    const story = await beginStory(database);
    const { id } = await story.open();
    const change = (body: object) => updateIncident(story.ctx, id, updateIncidentSchema.parse(body));
    const draft = { postmortem: '## What happened\nA disk was full.', postmortemPublished: false };
    expect(await change({ postmortem: ` ${draft.postmortem}\n` })).toMatchObject(draft);
    const published = await change({ postmortemPublished: true });
    expect(published).toMatchObject({ ...draft, postmortemPublished: true, updates: { length: 1 } });
    expect(await change(published)).toMatchObject({ postmortemPublished: true });
    expect(await change({ postmortem: '' })).toMatchObject({ postmortem: null, postmortemPublished: false });
    await expect(change({ postmortemPublished: true })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await story.readEvents()).toHaveLength(1);
  });

  it('is resolved before it is deleted, unless it was', async () => {
    const story = await beginStory(database);
    const { id } = await story.open();
    await deleteIncident(story.ctx, id);
    await expect(getIncident(story.ctx, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const kinds = async () => (await story.readEvents()).map(({ event }) => event);
    expect(await kinds()).toEqual(['incident.created', 'incident.resolved']);
    const { id: resolved } = await story.open();
    await updateIncident(story.ctx, resolved, { status: 'resolved' });
    await deleteIncident(story.ctx, resolved);
    expect((await kinds()).slice(2)).toEqual(['incident.created', 'incident.resolved']);
  });
});
