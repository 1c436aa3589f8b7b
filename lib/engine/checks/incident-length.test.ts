import { describe, expect, it } from 'vitest';
import { sized } from '@/bin/testing/thorough.mjs';
import type { ProbeResult } from '@/lib/checks/result';
import { updateIncident } from '@/lib/domain/incidents/change-incident';
import { getIncident } from '@/lib/domain/incidents/read-incidents';
import { createMaintenance } from '@/lib/domain/maintenance/create-maintenance';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { beginStory, FAILED, OK, SLOW, START } from '@/lib/engine/testing/story';
import { resolveOrphanedIncidents } from '@/lib/engine/upkeep/resolve-orphaned-incidents';
import { runMaintenanceWindows } from '@/lib/engine/upkeep/run-maintenance-windows';
import { updateIncidentSchema } from '@/lib/schemas/incidents/incident';
import { createMaintenanceSchema } from '@/lib/schemas/maintenance';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useTestDatabase } from '@/lib/testing/database';

const database = useTestDatabase();

/** Time between two checks: by then a check every minute is due again, whatever its phase. */
const STEP = 90_000;

/** A monitor with a receiver. */
async function begin(fields: object = {}) {
  const story = await beginStory(database.db);
  const { organizationId } = story;
  await createWebhook(story.ctx, createWebhookSchema.parse({ url: 'http://receiver.test/' }));
  const { id } = await story.addMonitor({ interval: 60, alertThreshold: 1, ...fields });
  const incidentId = async () =>
    (await database.db.incident.findFirstOrThrow({ where: { organizationId } })).id;
  return {
    ...story,
    id,
    incidentId,
    /** Runs one check after the other, a step apart. */
    see: async (...results: ProbeResult[]) => {
      for (const result of results) expect(await story.check(result, { afterMs: STEP })).toBe(1);
    },
    incident: async () => getIncident(story.ctx, await incidentId()),
    change: async (body: object) =>
      updateIncident(story.ctx, await incidentId(), updateIncidentSchema.parse(body)),
    /** The duration in the last event of each kind. */
    lengths: async () => {
      const rows = await database.db.outboxEvent.findMany({
        where: { organizationId },
        orderBy: { id: 'asc' },
      });
      const payloads = rows.map(({ payload }) => JSON.parse(payload));
      const last = (kind: string) => payloads.findLast(({ event }) => event === kind);
      return {
        downtime: last('monitor.up')?.details.downtime,
        duration: last('incident.resolved')?.incident.duration,
      };
    },
  };
}

const seconds = (moment: string | null) =>
  moment === null ? null : (Date.parse(moment) - START.getTime()) / 1000;

/** Thresholds of alert and recovery, the checks that reach them, and how long the outage is. */
type Outage = [number, number, ProbeResult[], ProbeResult[], string];
const BOTH: Outage = [2, 3, [FAILED, FAILED, FAILED], [OK, OK, OK], '4m'];

describe('an outage has a consistent duration', () => {
  it.each(
    sized([BOTH], {
      thorough: [[1, 1, [FAILED], [OK], '1m'], [3, 1, [FAILED, FAILED, FAILED], [OK], '4m'], BOTH],
    }),
  )(
    'with an alert threshold of %i and a recovery threshold of %i',
    async (alertThreshold, recoveryThreshold, failures, successes, length) => {
      const story = await begin({ alertThreshold, recoveryThreshold });
      await story.see(...Array(recoveryThreshold).fill(OK), ...failures);
      const from = story.clock.now().getTime() - (failures.length - 1) * STEP;
      await story.see(...successes);
      const to = story.clock.now().getTime() - (successes.length - 1) * STEP;
      expect(await story.lengths()).toEqual({ downtime: length, duration: length });

      const incident = await story.incident();
      const period = await database.db.statusPeriod.findFirstOrThrow({
        where: { monitorId: story.id, state: 'down' },
      });
      expect([incident.startedAt, incident.resolvedAt]).toEqual([
        period.from.toISOString(),
        period.to?.toISOString(),
      ]);
      expect([Date.parse(incident.startedAt), Date.parse(incident.resolvedAt ?? '')]).toEqual([from, to]);
      const decided = incident.updates.map(({ status, createdAt }) => [status, seconds(createdAt)]);
      expect(decided).toEqual([
        ['resolved', seconds(story.clock.now().toISOString())],
        ['investigating', seconds(incident.createdAt)],
      ]);
      expect(seconds(incident.createdAt)).toBe(
        (from - START.getTime()) / 1000 + ((alertThreshold - 1) * STEP) / 1000,
      );
    },
  );

  it('when the third of three regions agrees late', async () => {
    const regions = ['us-east', 'eu-west', 'ap-southeast'];
    const story = await begin({ regions, alertThreshold: 2, recoveryThreshold: 2 });
    const round = async (result: ProbeResult) => {
      story.clock.advance(STEP);
      for (const region of regions) await story.check(result, { region, afterMs: 10_000 });
    };
    for (const result of [OK, OK, FAILED, FAILED, FAILED, OK, OK, OK]) await round(result);
    expect(await story.lengths()).toEqual({ downtime: '6m', duration: '6m' });
  });
});

describe('the duration of an incident', () => {
  it('includes degraded time before an outage, which is not downtime', async () => {
    const story = await begin();
    await story.see(OK, SLOW, SLOW, FAILED, FAILED, FAILED, OK);
    expect(await story.lengths()).toEqual({ downtime: '4m', duration: '7m' });
  });

  it('includes degraded time after an outage', async () => {
    const story = await begin({ recoveryThreshold: 3 });
    await story.see(OK, OK, OK, FAILED, SLOW, SLOW, OK, OK, OK);
    expect(await story.lengths()).toEqual({ downtime: '1m', duration: '4m' });
  });

  it('includes maintenance in between, which is not downtime', async () => {
    const story = await begin();
    await story.see(OK, FAILED);
    const [startsAt, endsAt] = [1, 4].map((minutes) =>
      new Date(story.clock.now().getTime() + minutes * 60_000).toISOString(),
    );
    const body = { title: 'Repair', monitors: [story.id], startsAt, endsAt };
    await createMaintenance(story.ctx, createMaintenanceSchema.parse(body));
    story.clock.advance(60_000);
    await runMaintenanceWindows(story.services);
    await story.see(FAILED, FAILED);
    await runMaintenanceWindows(story.services);
    await story.see(OK);
    expect(await story.lengths()).toEqual({ downtime: '2m', duration: '5m' });
  });

  it('counts from its start when it is reopened, including the time it was closed', async () => {
    const story = await begin();
    await story.see(OK, FAILED);
    await story.change({ status: 'resolved' });
    story.clock.advance(300_000);
    const { startedAt } = await story.change({ status: 'investigating' });
    story.clock.advance(300_000);
    await story.change({ status: 'resolved' });
    expect((await story.lengths()).duration).toBe('10m');
    expect((await story.incident()).startedAt).toBe(startedAt);
  });

  it('ends when monitoring is paused', async () => {
    const story = await begin({ alertThreshold: 3 });
    await story.see(OK, FAILED, FAILED, FAILED);
    await updateMonitor(story.ctx, story.id, { enabled: false });
    await resolveOrphanedIncidents(story.services);
    expect((await story.lengths()).duration).toBe('3m');
  });
});
