import { expect } from 'vitest';
import type { ProbeResult } from '@/lib/checks/result';
import { updateMaintenance } from '@/lib/domain/maintenance/change-maintenance';
import { createMaintenance } from '@/lib/domain/maintenance/create-maintenance';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { beginStory, OK, START } from '@/lib/engine/testing/story';
import { runMaintenanceWindows } from '@/lib/engine/upkeep/run-maintenance-windows';
import type { Database } from '@/lib/platform/db/client';
import { createMaintenanceSchema, updateMaintenanceSchema } from '@/lib/schemas/maintenance';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';

const MINUTE = 60_000;

/** The events of a monitor that goes down. */
export const DOWN_EVENTS = ['monitor.down', 'incident.created'];

/** This many minutes after START. */
export const inMinutes = (minutes: number) => new Date(START.getTime() + minutes * MINUTE).toISOString();

/** An operational monitor with a receiver; the clock is at START, and windows are in minutes from it. */
export async function beginWindowStory(db: Database) {
  const story = await beginStory(db);
  await createWebhook(story.ctx, createWebhookSchema.parse({ url: 'http://receiver.test/' }));
  const { id } = await story.addMonitor({ alertThreshold: 1, interval: 300 });
  await story.check(OK, { afterMs: 0 });
  const run = () => runMaintenanceWindows(story.services);
  return {
    ...story,
    id,
    run,
    /**
     * Advances the clock to this many minutes after START and lets the engine poll, with a check a minute
     * earlier, which is due at most eight minutes after the last.
     */
    at: async (minutes: number, result: ProbeResult | null = null) => {
      if (result) {
        story.clock.set(new Date(START.getTime() + (minutes - 1) * MINUTE));
        expect(await story.check(result, { afterMs: 0 })).toBeGreaterThan(0);
      }
      story.clock.set(new Date(START.getTime() + minutes * MINUTE));
      await run();
    },
    plan: async (from: number, to: number, fields: object = {}) => {
      const body = { title: 'Upgrade', monitors: [id], startsAt: inMinutes(from), endsAt: inMinutes(to) };
      return (await createMaintenance(story.ctx, createMaintenanceSchema.parse({ ...body, ...fields }))).id;
    },
    change: (windowId: string, body: object) =>
      updateMaintenance(story.ctx, windowId, updateMaintenanceSchema.parse(body)),
    /** The kinds of events so far. */
    events: async () => {
      const where = { organizationId: story.organizationId };
      const events = await db.outboxEvent.findMany({ where, orderBy: { id: 'asc' } });
      return events.map((event) => event.kind);
    },
    /** The ledger: states and when they began, in minutes after START. */
    ledger: async (monitorId = id) => {
      const periods = await db.statusPeriod.findMany({
        where: { monitorId },
        orderBy: { id: 'asc' },
      });
      return periods
        .filter(({ from, to }) => from.getTime() !== to?.getTime())
        .map(({ state, from }) => [state, (from.getTime() - START.getTime()) / MINUTE]);
    },
    monitor: () => getMonitor(story.ctx, id),
    incidents: () => db.incident.count({ where: { monitorId: id } }),
  };
}
