import { describe, expect, it } from 'vitest';
import { updateIncident } from '@/lib/domain/incidents/change-incident';
import { deleteMonitor } from '@/lib/domain/monitors/change-selected';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { tickSilentMonitors } from '@/lib/engine/checks/tick-monitors';
import { beginStory, FAILED, OK, SLOW, START, UNKNOWN } from '@/lib/engine/testing/story';
import { orphanedQuery, resolveOrphanedIncidents } from '@/lib/engine/upkeep/resolve-orphaned-incidents';
import { regionNumber } from '@/lib/schemas/regions';
import { eventPayloadSchema } from '@/lib/schemas/webhooks/events';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useTestDatabase } from '@/lib/testing/database';
import { explain } from '@/lib/testing/explain';
import { recordResults } from './record-results';

const database = useTestDatabase();

async function readEvents(organizationId: string) {
  const rows = await database.db.outboxEvent.findMany({ where: { organizationId }, orderBy: { id: 'asc' } });
  return rows.map((row) => eventPayloadSchema.parse(JSON.parse(row.payload)));
}

async function beginListening() {
  const story = await beginStory(database.db);
  await createWebhook(story.ctx, createWebhookSchema.parse({ url: 'http://receiver.test/' }));
  return story;
}

const periods = (monitorId: string) =>
  database.db.statusPeriod.findMany({
    where: { monitorId },
    select: { state: true, from: true, to: true },
    orderBy: { id: 'asc' },
  });

describe('recording results', () => {
  it('goes from pending to operational with the first good check, and notifies nobody', async () => {
    const story = await beginListening();
    const { id } = await story.addMonitor();
    expect(await story.check(OK, { afterMs: 0 })).toBe(1);
    expect(await getMonitor(story.ctx, id)).toMatchObject({
      status: 'operational',
      lastCheckedAt: START.toISOString(),
      lastResponseTime: 12,
      consecutiveFailures: 0,
      uptimePercentage: 100,
    });
    expect(await readEvents(story.organizationId)).toEqual([]);
  });

  it('goes down at the threshold, back-dated, opens one incident and sends monitor.down and incident.created', async () => {
    const story = await beginListening();
    const { id } = await story.addMonitor({ alertThreshold: 2 });
    await story.check(OK, { afterMs: 0 });
    await story.check(FAILED);
    expect(await getMonitor(story.ctx, id)).toMatchObject({ status: 'operational', consecutiveFailures: 1 });
    const firstFailure = story.clock.now();
    await story.check(FAILED);
    const decidedAt = story.clock.now().toISOString();

    expect(await getMonitor(story.ctx, id)).toMatchObject({ status: 'down', consecutiveFailures: 2 });
    expect(await periods(id)).toEqual([
      { state: 'pending', from: START, to: START },
      { state: 'operational', from: START, to: firstFailure },
      { state: 'down', from: firstFailure, to: null },
    ]);
    const [incident, ...others] = await database.db.incident.findMany({ where: { monitorId: id } });
    expect(others).toEqual([]);
    expect(incident).toMatchObject({ title: 'Shop is down', status: 'investigating', severity: 'critical' });
    expect(await readEvents(story.organizationId)).toEqual([
      {
        id: expect.stringMatching(/^evt_/),
        event: 'monitor.down',
        causedBy: null,
        timestamp: decidedAt,
        monitor: { id, name: 'Shop', url: 'http://shop.test/', type: 'http', ref: null, tags: [] },
        incident: { id: incident?.id, severity: 'critical', status: 'investigating' },
        details: {
          consecutiveFailures: 2,
          errorMessage: 'responded with 503, expected 200',
          responseTime: 12,
          statusCode: 503,
          region: 'us-east',
        },
      },
      {
        id: expect.stringMatching(/^evt_/),
        event: 'incident.created',
        causedBy: null,
        timestamp: decidedAt,
        incident: {
          id: incident?.id,
          title: 'Shop is down',
          description: 'Shop is down.',
          status: 'investigating',
          severity: 'critical',
          affectedMonitors: [id],
          affectedComponents: [],
          impacts: {},
        },
      },
    ]);
  });

  it('recovers with monitor.up, including the downtime, and incident.resolved', async () => {
    const story = await beginListening();
    const { id } = await story.addMonitor({ alertThreshold: 1 });
    await story.check(OK, { afterMs: 0 });
    await story.check(FAILED);
    await story.check(OK);
    const kinds = (await readEvents(story.organizationId)).map((event) => event.event);
    expect(kinds).toEqual(['monitor.down', 'incident.created', 'monitor.up', 'incident.resolved']);
    const up = (await readEvents(story.organizationId)).find((event) => event.event === 'monitor.up');
    expect(up).toMatchObject({
      details: { downtime: '1m', responseTime: 12, statusCode: 200, region: 'us-east' },
    });
    expect(await getMonitor(story.ctx, id)).toMatchObject({ status: 'operational', uptimePercentage: 50 });
    expect(await database.db.incident.count({ where: { monitorId: id, resolvedAt: null } })).toBe(0);
  });

  it('passes through degraded with a minor incident that becomes critical when it goes down', async () => {
    const story = await beginListening();
    await story.addMonitor({ alertThreshold: 1 });
    await story.check(OK, { afterMs: 0 });
    await story.check(SLOW);
    await story.check(FAILED);
    await story.check(SLOW);
    await story.check(OK);
    const events = await readEvents(story.organizationId);
    expect(events.map((event) => event.event)).toEqual([
      'monitor.degraded',
      'incident.created',
      'monitor.down',
      'incident.updated',
      'monitor.degraded',
      'incident.updated',
      'monitor.up',
      'incident.resolved',
    ]);
    expect(events[3]).toMatchObject({
      incident: { status: 'investigating', previousStatus: 'investigating', severity: 'critical' },
    });
    expect(events[5]).toMatchObject({
      incident: { status: 'monitoring', previousStatus: 'investigating', severity: 'critical' },
    });
  });

  it('drops the result of a check that began before the monitor was changed, paused or deleted', async () => {
    const story = await beginStory(database.db);
    const changed = await story.addMonitor();
    const paused = await story.addMonitor();
    const deleted = await story.addMonitor();
    const taken = await story.take();
    expect(taken).toHaveLength(3);
    await updateMonitor(story.ctx, changed.id, { url: 'http://other.test/' });
    await updateMonitor(story.ctx, paused.id, { enabled: false });
    await deleteMonitor(story.ctx, deleted.id);
    const finished = taken.map((check) => ({ check, startedAt: story.clock.now(), result: FAILED }));
    expect(await recordResults(story.services, finished)).toBe(0);
    expect(await getMonitor(story.ctx, changed.id)).toMatchObject({ status: 'pending', lastCheckedAt: null });
    expect(await getMonitor(story.ctx, paused.id)).toMatchObject({ status: 'pending', lastCheckedAt: null });
  });

  it.each([
    ['first', 0],
    ['second', 1],
  ])(
    'drops the %s result of a region that was removed from its monitor after the check began',
    async (_, earlier) => {
      const story = await beginStory(database.db);
      const { id } = await story.addMonitor({ regions: ['us-east', 'eu-west'], alertThreshold: 1 });
      for (let n = 0; n < earlier; n++)
        for (const region of ['us-east', 'eu-west']) await story.check(OK, { region });
      story.clock.advance(90_000);
      const removed = await story.take('eu-west');
      const left = await story.take('us-east');
      await updateMonitor(story.ctx, id, { regions: ['us-east'] });
      const before = await getMonitor(story.ctx, id);
      story.clock.advance(1000);
      const record = (checks: typeof left, result: typeof OK) =>
        recordResults(
          story.services,
          checks.map((check) => ({ check, startedAt: story.clock.now(), result })),
        );
      for (const result of [OK, FAILED]) expect(await record(removed, result)).toBe(0);
      expect(await getMonitor(story.ctx, id)).toEqual(before);
      expect(await record(left, OK)).toBe(1);
      const rows = await database.db.$queryRaw`
        SELECT FROM raw.check_result JOIN monitor ON number = monitor
         WHERE monitor.id = ${id} AND region = ${regionNumber('eu-west')}::int`;
      expect(rows).toHaveLength(earlier);
    },
  );

  it('stores inconclusive raw results, which change no status', async () => {
    const story = await beginStory(database.db);
    const { id } = await story.addMonitor();
    await story.check(UNKNOWN, { afterMs: 0 });
    expect(await getMonitor(story.ctx, id)).toMatchObject({ status: 'pending', lastCheckedAt: null });
    const rows = await database.db.$queryRaw`
      SELECT outcome, error_code, first_byte FROM raw.check_result JOIN monitor ON monitor.number = monitor
       WHERE monitor.id = ${id}`;
    expect(rows).toEqual([{ outcome: 2, error_code: 'blocked', first_byte: 11 }]);
  });

  it('needs a quorum of the regions to go down', async () => {
    const story = await beginStory(database.db);
    const regions = ['us-east', 'eu-west', 'ap-southeast'];
    const { id } = await story.addMonitor({ regions, alertThreshold: 1 });
    for (const region of regions) await story.check(OK, { region, afterMs: 0 });
    const round = async (results: (typeof OK)[]) => {
      story.clock.advance(90_000);
      for (const [index, result] of results.entries()) {
        await story.check(result, { region: regions[index], afterMs: 10 });
      }
    };
    await round([FAILED, OK, OK]);
    expect((await getMonitor(story.ctx, id)).status).not.toBe('down');
    await round([FAILED, FAILED, OK]);
    expect(await getMonitor(story.ctx, id)).toMatchObject({ status: 'down', consecutiveFailures: 1 });
  });
});

describe('pausing and deleting', () => {
  it('keeps the last status, and the engine resolves the incident with the reason', async () => {
    const story = await beginListening();
    const { id } = await story.addMonitor({ alertThreshold: 1 });
    await story.check(FAILED, { afterMs: 0 });
    expect(await updateMonitor(story.ctx, id, { enabled: false })).toMatchObject({
      status: 'down',
      enabled: false,
    });
    expect((await readEvents(story.organizationId)).map((event) => event.event)).not.toContain(
      'incident.resolved',
    );

    expect(await resolveOrphanedIncidents(story.services)).toBe(1);
    const [update] = await database.db.incidentUpdate.findMany({
      where: { status: 'resolved', incident: { monitorId: id } },
    });
    expect(update?.message).toBe('Monitoring was paused.');
    expect((await readEvents(story.organizationId)).at(-1)?.event).toBe('incident.resolved');
    expect(await resolveOrphanedIncidents(story.services)).toBe(0);
  });

  it('restarts at pending when resumed, and sends monitor.up with the first good check', async () => {
    const story = await beginListening();
    const { id } = await story.addMonitor({ alertThreshold: 1 });
    await story.check(FAILED, { afterMs: 0 });
    await updateMonitor(story.ctx, id, { enabled: false });
    await resolveOrphanedIncidents(story.services);
    story.clock.advance(60_000);
    expect(await updateMonitor(story.ctx, id, { enabled: true })).toMatchObject({
      status: 'pending',
      consecutiveFailures: 0,
    });
    await story.check(OK, { afterMs: 0 });
    expect((await readEvents(story.organizationId)).at(-1)?.event).toBe('monitor.up');
    expect((await periods(id)).map((period) => period.state)).toEqual([
      'pending',
      'down',
      'paused',
      'pending',
      'operational',
    ]);
  });

  it('resolves the incident of a deleted monitor', async () => {
    const story = await beginListening();
    const { id } = await story.addMonitor({ alertThreshold: 1 });
    await story.check(FAILED, { afterMs: 0 });
    await deleteMonitor(story.ctx, id);
    expect(await resolveOrphanedIncidents(story.services)).toBe(1);
    expect(await database.db.incident.count({ where: { monitorId: id, resolvedAt: null } })).toBe(0);
  });

  it('leaves the incident open if it is resumed before anybody has resolved it', async () => {
    const story = await beginListening();
    const { id } = await story.addMonitor({ alertThreshold: 1 });
    await story.check(FAILED, { afterMs: 0 });
    await updateMonitor(story.ctx, id, { enabled: false });
    await updateMonitor(story.ctx, id, { enabled: true });
    expect(await resolveOrphanedIncidents(story.services)).toBe(0);
    expect(await database.db.incident.count({ where: { monitorId: id, resolvedAt: null } })).toBe(1);
  });

  it('resolves an incident again that is reopened afterward', async () => {
    const story = await beginListening();
    const { id } = await story.addMonitor({ alertThreshold: 1, recoveryThreshold: 1 });
    await story.check(FAILED, { afterMs: 0 });
    await story.check(OK);
    await updateMonitor(story.ctx, id, { enabled: false });
    expect(await resolveOrphanedIncidents(story.services)).toBe(0);
    const { id: incidentId } = await database.db.incident.findFirstOrThrow({ where: { monitorId: id } });
    await updateIncident(story.ctx, incidentId, { status: 'investigating' });
    expect(await resolveOrphanedIncidents(story.services)).toBe(1);
  });

  it('is found without a look at the incidents of all monitors that are down', async () => {
    const story = await beginListening();
    await story.addMonitor({ alertThreshold: 1 });
    await story.check(FAILED, { afterMs: 0 });
    await database.db.$executeRaw`
      INSERT INTO incident (id, organization_id, title, description, status, severity, automatic, monitor_id,
                            affected_monitors, started_at, created_at, updated_at)
      SELECT 'inc_' || number, ${story.organizationId}, 'Down', '', 'investigating', 'critical', true, 'mon_' || number,
             '{}', now(), now(), now()
        FROM generate_series(1, 5000) AS number`;
    await database.db.$executeRaw`ANALYZE incident`;
    expect((await explain(database.db, orphanedQuery())).pages).toBeLessThan(10);
  });
});

describe('silence', () => {
  it('becomes an unknown period in the ledger, from one interval after the last result', async () => {
    const story = await beginStory(database.db);
    const { id } = await story.addMonitor({ interval: 60, timeout: 30 });
    await story.check(OK, { afterMs: 0 });
    story.clock.advance(179_000);
    await tickSilentMonitors(story.services);
    expect((await periods(id)).at(-1)?.state).toBe('operational');
    story.clock.advance(3_000);
    await tickSilentMonitors(story.services);
    expect((await periods(id)).slice(-2)).toEqual([
      { state: 'operational', from: START, to: new Date(START.getTime() + 60_000) },
      { state: 'unknown', from: new Date(START.getTime() + 60_000), to: null },
    ]);
    expect(await getMonitor(story.ctx, id)).toMatchObject({ status: 'operational', uptimePercentage: 100 });
  });
});
