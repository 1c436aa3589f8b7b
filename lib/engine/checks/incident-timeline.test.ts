import { describe, expect, it } from 'vitest';
import {
  acknowledgeIncident,
  unacknowledgeIncident,
} from '@/lib/domain/incidents/acknowledge/acknowledge-incident';
import { updateIncident } from '@/lib/domain/incidents/change-incident';
import { getIncident, listIncidentsOfMonitor } from '@/lib/domain/incidents/read-incidents';
import { createMarker } from '@/lib/domain/markers/create-marker';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { readTimeline } from '@/lib/domain/timelines/read-timeline';
import type { TimelineEntry } from '@/lib/domain/timelines/timeline-entry';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { beginStory, FAILED, OK } from '@/lib/engine/testing/story';
import { createMarkerSchema } from '@/lib/schemas/monitor/marker';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { openCountingDatabase } from '@/lib/testing/statements';

const database = useTestDatabase();

/** A deploy, an edit, and an outage of two regions that a member acknowledged; resolved. */
async function tellOutage() {
  const story = await beginStory(database.db);
  const { ctx, clock } = story;
  const webhook = { url: 'https://hooks.test/a-secret', description: 'Pager' };
  await createWebhook(ctx, createWebhookSchema.parse(webhook));
  const { id } = await story.addMonitor({ alertThreshold: 2, tags: ['shop'] });
  await story.check(OK);
  await createMarker(ctx, createMarkerSchema.parse({ title: 'Deploy 42', tags: ['shop'] }));
  await createMarker(ctx, createMarkerSchema.parse({ title: 'Elsewhere', tags: ['other'] }));
  await updateMonitor(ctx, id, { name: 'Web shop' });
  await story.check(FAILED);
  const failedAt = clock.now();
  await story.check(FAILED);
  const [opened] = (await listIncidentsOfMonitor(ctx, id, 1)).items;
  if (!opened) throw new Error('no incident was opened');
  clock.advance(10_000);
  await acknowledgeIncident(ctx, opened.id);
  clock.advance(10_000);
  await unacknowledgeIncident(ctx, opened.id);
  await acknowledgeIncident(ctx, opened.id);
  clock.advance(10_000);
  await updateIncident(ctx, opened.id, { severity: 'major', message: 'We look at it.' });
  await story.check(OK);
  return { ...story, id, incident: await getIncident(ctx, opened.id), failedAt };
}

function ofKind<K extends TimelineEntry['kind']>(entries: TimelineEntry[], kind: K) {
  return entries.filter((entry): entry is Extract<TimelineEntry, { kind: K }> => entry.kind === kind);
}

describe('the timeline of an incident', () => {
  it('tells in order what changed before, the first failed checks, the decisions, and who was notified and acknowledged', async () => {
    const { ctx, id, incident, failedAt } = await tellOutage();
    const entries = await readTimeline(ctx, incident);
    expect(entries.map(({ kind }) => kind)).toEqual([
      'edit',
      'marker',
      'edit',
      'failures',
      'transition',
      'event',
      'event',
      'acknowledgement',
      'event',
      'acknowledgement',
      'acknowledgement',
      'event',
      'edit',
      'event',
      'transition',
      'event',
      'event',
    ]);
    expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => at).toSorted((a, b) => +a - +b));
    expect(ofKind(entries, 'marker').map(({ title }) => title)).toEqual(['Deploy 42']);
    expect(ofKind(entries, 'edit').map(({ action, fields }) => [action, fields])).toEqual([
      ['monitor.create', []],
      ['monitor.update', ['name']],
      ['incident.update', ['severity']],
    ]);
    const monitor = { id, name: 'Web shop' };
    expect(ofKind(entries, 'failures')).toMatchObject([
      { monitor, at: failedAt, region: 'us-east', checks: 2, error: 'responded with 503, expected 200' },
    ]);
    const changes = ofKind(entries, 'transition').map(({ transition: { from, to } }) => [from, to]);
    expect(changes).toEqual([
      ['operational', 'down'],
      ['down', 'operational'],
    ]);
    expect(ofKind(entries, 'transition')[0]?.transition.why?.regions).toHaveLength(1);
    expect(ofKind(entries, 'acknowledgement').map(({ isWithdrawn }) => isWithdrawn)).toEqual([
      false,
      true,
      false,
    ]);
    const events = ofKind(entries, 'event');
    expect(new Set(events.map(({ event }) => event))).toEqual(
      new Set([
        'monitor.down',
        'incident.created',
        'incident.acknowledged',
        'incident.updated',
        'monitor.up',
        'incident.resolved',
      ]),
    );
    expect(events[0]?.deliveries).toMatchObject([
      { description: 'Pager', host: 'hooks.test', status: 'pending' },
    ]);
    expect(JSON.stringify(events)).not.toContain('a-secret');
  });

  it('has the failed checks of a region that began to fail before the quorum, and thus before the incident', async () => {
    const story = await beginStory(database.db);
    const { id } = await story.addMonitor({ alertThreshold: 1, regions: ['us-east', 'eu-west'] });
    for (const region of ['us-east', 'eu-west']) await story.check(OK, { region });
    await story.check(FAILED, { region: 'eu-west' });
    const failedAt = story.clock.now();
    await story.check(FAILED, { region: 'us-east', afterMs: 1000 });
    const [opened] = (await listIncidentsOfMonitor(story.ctx, id, 1)).items;
    expect(opened?.startedAt).toBe(story.clock.now().toISOString());
    const incident = await getIncident(story.ctx, opened?.id ?? '');
    const failures = ofKind(await readTimeline(story.ctx, incident), 'failures');
    expect(failures.map(({ region, at }) => [region, at])).toEqual([
      ['eu-west', failedAt],
      ['us-east', story.clock.now()],
    ]);
  });

  it('has the emails to members, and those to subscribers of pages', async () => {
    const { ctx, clock, organizationId, incident } = await tellOutage();
    const { db } = database;
    const at = clock.now();
    const notice = { organizationId, subjectId: incident.affectedMonitors[0] ?? '', subjectName: 'Web shop' };
    await db.memberNotice.create({
      data: { ...notice, kind: 'monitor.up', incidentId: incident.id, occurredAt: at, mailedAt: at },
    });
    const sent = { organizationId, kind: 'alert', createdAt: at, nextAttemptAt: null };
    await db.mail.createMany({
      data: [
        { ...sent, id: `${incident.id}-a`, recipient: 'a@example.com', sentAt: at },
        { ...sent, id: `${incident.id}-b`, recipient: 'b@example.com', failedAt: at, error: 'refused' },
      ],
    });
    expect(ofKind(await readTimeline(ctx, incident), 'emails')).toEqual([
      {
        kind: 'emails',
        id: expect.any(String),
        at,
        notice: 'monitor.up',
        emails: [
          { recipient: 'a@example.com', sentAt: at, error: null },
          { recipient: 'b@example.com', sentAt: null, error: 'refused' },
        ],
      },
    ]);
  });

  it('is empty for another organization', async () => {
    const { incident } = await tellOutage();
    const other = await createTestOrganization(createTestServices(database));
    expect(await readTimeline(other.ctx, incident)).toEqual([]);
  });

  it('takes eleven statements, however much happened', async () => {
    const { ctx, incident } = await tellOutage();
    const { db, count } = openCountingDatabase(database.url);
    expect(await count(() => readTimeline({ ...ctx, db }, incident))).toBe(11);
    await db.$disconnect();
  });
});
