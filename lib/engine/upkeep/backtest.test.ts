import { describe, expect, it } from 'vitest';
import { endActiveMaintenance } from '@/lib/domain/maintenance/change-maintenance';
import { createMaintenance } from '@/lib/domain/maintenance/create-maintenance';
import {
  backtestMonitor,
  checksAfter,
  latestBeyond,
  readSeenChecks,
} from '@/lib/domain/monitors/backtest-monitor';
import { storeChecks } from '@/lib/domain/monitors/testing/history';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { beginStory, FAILED, OK, SLOW, START } from '@/lib/engine/testing/story';
import { createMaintenanceSchema } from '@/lib/schemas/maintenance';
import { backtestInputSchema } from '@/lib/schemas/monitor/backtest';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useTestDatabase } from '@/lib/testing/database';
import { explain } from '@/lib/testing/explain';
import { openCountingDatabase } from '@/lib/testing/statements';
import { beginMaintenance, endMaintenance, runMaintenanceWindows } from './run-maintenance-windows';

const HOUR = 3_600_000;

const database = useTestDatabase();

const input = (fields: object = {}) => backtestInputSchema.parse(fields);

/** A monitor that failed occasionally, was paused, changed and in maintenance. */
async function liveThrough() {
  const story = await beginStory(database.db);
  await createWebhook(story.ctx, createWebhookSchema.parse({ url: 'http://receiver.test/' }));
  const { id } = await story.addMonitor({ alertThreshold: 2 });
  const see = async (pattern: string) => {
    for (const seen of pattern) await story.check(seen === 'x' ? FAILED : seen === 's' ? SLOW : OK);
  };
  await see('..xx..xxx.ss.x.x.');
  await updateMonitor(story.ctx, id, { enabled: false });
  story.clock.advance(HOUR / 2);
  await updateMonitor(story.ctx, id, { enabled: true });
  await see('xx..');
  await database.db.$transaction((tx) => beginMaintenance(tx, story.services, [id]));
  await see('xxx.xxx');
  await database.db.$transaction((tx) => endMaintenance(tx, story.services, [id]));
  await see('x..');
  await updateMonitor(story.ctx, id, { url: 'http://other.test/' });
  await see('.xxx');
  return { story, id };
}

async function sentAlerts(organizationId: string) {
  const rows = await database.db.outboxEvent.findMany({
    where: { organizationId, kind: { in: ['monitor.down', 'monitor.degraded'] } },
    orderBy: { id: 'asc' },
  });
  return rows.map(({ kind }) => kind.replace('monitor.', ''));
}

async function downByLedger(monitorId: string, now: Date): Promise<number | undefined> {
  const [ledger] = await database.db.$queryRaw<{ ms: number }[]>`
    SELECT sum(extract(epoch FROM coalesce(to_at, ${now}) - from_at) * 1000)::float8 AS ms
      FROM status_period WHERE monitor_id = ${monitorId} AND state = 'down'`;
  return ledger?.ms;
}

describe('a backtest', () => {
  it('reproduces the actual alerts with the actual settings, through pauses, changes and maintenance', async () => {
    const { story, id } = await liveThrough();
    const sent = await sentAlerts(story.organizationId);
    expect(sent).toEqual(['down', 'down', 'degraded', 'down', 'down', 'down']);
    const { current, proposed, avoided, added, checks, isCut } = await backtestMonitor(
      story.ctx,
      id,
      input(),
    );
    expect(current).toMatchObject({ down: 5, degraded: 1 });
    expect(proposed).toEqual(current);
    expect([avoided, added, isCut]).toEqual([[], [], false]);
    expect(checks).toBe(35);
    expect(current.downtime).toBe(await downByLedger(id, story.clock.now()));
  });

  it('handles a change of the probe configuration, and a pause, during maintenance', async () => {
    const story = await beginStory(database.db);
    await createWebhook(story.ctx, createWebhookSchema.parse({ url: 'http://receiver.test/' }));
    const { id } = await story.addMonitor({ alertThreshold: 2 });
    const see = async (pattern: string) => {
      for (const seen of pattern) await story.check(seen === 'x' ? FAILED : OK);
      // The following events come after the response.
      story.clock.advance(1000);
    };
    await see('.xx');
    const now = story.clock.now().getTime();
    const window = await createMaintenance(
      story.ctx,
      createMaintenanceSchema.parse({
        title: 'Upgrade',
        monitors: [id],
        startsAt: new Date(now).toISOString(),
        endsAt: new Date(now + HOUR).toISOString(),
      }),
    );
    await runMaintenanceWindows(story.services);
    await see('x.xxx');
    await updateMonitor(story.ctx, id, { url: 'http://other.test/' });
    await see('xx.');
    await updateMonitor(story.ctx, id, { enabled: false });
    story.clock.advance(90_000);
    await updateMonitor(story.ctx, id, { enabled: true });
    await see('xxx');
    await endActiveMaintenance(story.ctx, window.id);
    await runMaintenanceWindows(story.services);
    await see('x.xx.');

    const sent = await sentAlerts(story.organizationId);
    const states = await database.db.statusPeriod.findMany({
      where: { monitorId: id },
      orderBy: { id: 'asc' },
    });
    expect(states.filter(({ state }) => state === 'maintenance').length).toBe(3);
    const { current } = await backtestMonitor(story.ctx, id, input());
    expect([current.down, current.degraded]).toEqual([sent.length, 0]);
    expect(current.down).toBe(3);
    expect(current.downtime).toBe(await downByLedger(id, story.clock.now()));
  });

  it('lists which alerts other settings would have avoided, and which they would have added', async () => {
    const { story, id } = await liveThrough();
    const patient = await backtestMonitor(story.ctx, id, input({ alertThreshold: 3 }));
    expect(patient.proposed).toMatchObject({ down: 3, degraded: 0 });
    expect(patient.avoided.map(({ status }) => status)).toEqual(['down', 'degraded', 'down']);
    expect(patient.avoided.at(-1)).toEqual({
      status: 'down',
      startedAt: new Date(START.getTime() + 3 * 90_000).toISOString(),
      // The check took 12 ms.
      decidedAt: new Date(START.getTime() + 4 * 90_000 + 12).toISOString(),
      endedAt: new Date(START.getTime() + 5 * 90_000).toISOString(),
      reason: 'responded with 503, expected 200',
    });
    const nervous = await backtestMonitor(story.ctx, id, input({ alertThreshold: 1, timeout: 5 }));
    expect(nervous.added.length).toBe(nervous.proposed.down + nervous.proposed.degraded - 6 + 1);
    const elsewhere = await backtestMonitor(story.ctx, id, input({ regions: ['eu-west'] }));
    expect(elsewhere).toMatchObject({ proposed: { down: 0 }, silentRegions: ['eu-west'] });
  });

  it('estimates how much sooner one would have known, and what that would have cost', async () => {
    const story = await beginStory(database.db);
    const { id } = await story.addMonitor({ alertThreshold: 3 });
    for (const seen of '..xxxx...xx..x..') await story.check(seen === 'x' ? FAILED : OK);
    const { current, proposed, added, sooner, estimatedChecks } = await backtestMonitor(
      story.ctx,
      id,
      input({ confirmInterval: 10 }),
    );
    expect([current.down, proposed.down]).toEqual([1, 2]);
    expect(added).toMatchObject([{ startedAt: new Date(START.getTime() + 10 * 90_000).toISOString() }]);
    // Two checks each, and one after what was seen once.
    expect(estimatedChecks).toBe(5);
    // Checks are 90 s apart in this story.
    expect(sooner).toBe(2 * 90_000 - 20_000);
    expect(await backtestMonitor(story.ctx, id, input())).toMatchObject({ sooner: 0, estimatedChecks: 0 });
  });

  it('is limited to the organization’s own monitors', async () => {
    const { id } = await liveThrough();
    const stranger = await beginStory(database.db);
    await expect(backtestMonitor(stranger.ctx, id, input())).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('reads a limited number of the latest results, in batches by index', async () => {
    const story = await beginStory(database.db);
    const { id } = await story.addMonitor();
    const since = new Date(START.getTime() - 20 * HOUR);
    await storeChecks(database.db, [id], { since, now: START, everySeconds: 5, regions: 3 });
    await database.db.$executeRaw`ANALYZE raw.check_result`;
    const { number } = await database.db.monitor.findUniqueOrThrow({ where: { id } });
    const window = { number, from: since, to: START };

    const all = await readSeenChecks(database.db, window, 200_000);
    expect(all).toMatchObject({ isCut: false });
    expect(all.checks.length).toBe(3 * (20 * 720 + 1));
    const cut = await readSeenChecks(database.db, window, 3000);
    expect(cut.isCut).toBe(true);
    expect(cut.checks.length).toBe(3000);
    expect(cut.checks[0]?.startedAt).toBe(START.getTime() - 999 * 5000);

    const plans = [latestBeyond(window, 3000), checksAfter(window, { at: since.getTime(), region: 0 })];
    for (const query of plans) {
      const { steps } = await explain(database.db, query);
      expect(steps.filter(({ type, loops }) => type === 'Seq Scan' && loops > 0)).toEqual([]);
    }
    const counting = openCountingDatabase(database.url);
    const ctx = { ...story.ctx, db: counting.db };
    expect(await counting.count(() => backtestMonitor(ctx, id, input()))).toBe(3 + 3);
    await counting.db.$disconnect();
  });
});
