import { recordPresence } from '@/lib/domain/monitors/silence';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { createMonitors } from '@/lib/domain/monitors/writes/create-monitors';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { recordResults } from '@/lib/engine/checks/recording/record-results';
import { beginStory, FAILED, OK } from '@/lib/engine/testing/story';
import type { Database } from '@/lib/platform/db/client';
import { bulkItem } from '@/lib/schemas/monitor/bulk';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { decideHeld } from '../decide-held';
import { releaseSuppressed } from '../release-suppressed';

const USUAL = { url: 'http://shop.test/', interval: 60, timeout: 5, alertThreshold: 1 };

/**
 * A gateway and monitors that depend on it, which are down after one failed check, with an endpoint for programs and one for people, and
 * email.
 */
export async function beginDependencies(db: Database, { names = ['Shop'], gateway = {} } = {}) {
  const story = await beginStory(db, { mail: true });
  const { ctx, services, clock } = story;
  const endpoint = async (fields: object) =>
    (await createWebhook(ctx, createWebhookSchema.parse({ url: 'https://hooks.example.com/x', ...fields })))
      .id;
  const endpoints = {
    standard: await endpoint({
      events: ['monitor.down', 'monitor.up', 'monitor.degraded', 'incident.created'],
    }),
    chat: await endpoint({ format: 'slack' }),
  };
  const parent = await story.addMonitor({ ...USUAL, name: 'Gateway', ...gateway });
  const children = names.map((name) => bulkItem({ ...USUAL, name, dependsOn: [parent.id] }));
  const created = await createMonitors(ctx, children, { isAtomic: true, isUpsert: false });
  const ids = new Map(
    created.flatMap((one) => ('resource' in one ? [[one.resource.name, one.resource.id] as const] : [])),
  );
  ids.set('Gateway', parent.id);
  const serve = () => recordPresence(services, { regions: ['us-east'], duties: 'all' });
  const idOf = (name: string) => ids.get(name) ?? '';

  return {
    ...story,
    endpoints,
    idOf,
    /**
     * Checks monitors after a while, all or only some: the named ones fail, all others succeed. `isRequested`: only those that are due
     * because a check was requested.
     */
    async check(
      failing: readonly string[],
      { afterMs = 90_000, only = [...ids.keys()], isRequested = false } = {},
    ) {
      clock.advance(afterMs - 1);
      await serve();
      const startedAt = clock.now();
      const chosen = only.map(idOf);
      if (!isRequested) {
        const where = { monitorId: { in: chosen } };
        await db.probeSchedule.updateMany({ where, data: { nextCheckAt: startedAt } });
      }
      const due = await story.take();
      const checked = due.filter(({ monitor }) => chosen.includes(monitor.id));
      const failed = new Set(failing.map(idOf));
      const finished = checked.map((check) => {
        return { check, startedAt, result: failed.has(check.monitor.id) ? FAILED : OK };
      });
      clock.advance(1);
      await recordResults(services, finished);
      return checked.length;
    },
    /** What workers do about announcements now, one of which serves the region unless `isServed` is false. */
    async decide({ isServed = true } = {}) {
      if (isServed) await serve();
      await releaseSuppressed(services);
      return decideHeld(services);
    },
    change: (name: string, changes: Parameters<typeof updateMonitor>[2]) =>
      updateMonitor(ctx, idOf(name), changes),
    /** The deliveries to an endpoint, as “Shop: incident.created”, oldest first. */
    async delivered(to: keyof typeof endpoints): Promise<string[]> {
      const rows = await db.$queryRaw<{ kind: string; name: string }[]>`
        SELECT kind, coalesce(payload::json -> 'monitor' ->> 'name', split_part(payload::json -> 'incident' ->> 'title', ' is ', 1)) AS name
          FROM delivery JOIN outbox_event ON outbox_event.id = event_id
         WHERE endpoint_id = ${endpoints[to]} ORDER BY delivery.number`;
      return rows.map(({ kind, name }) => `${name}: ${kind}`);
    },
    /** The notices that members are mailed, like those. */
    async noticed(): Promise<string[]> {
      const where = { organizationId: story.organizationId };
      const notices = await db.memberNotice.findMany({ where, orderBy: { id: 'asc' } });
      return notices.map(({ subjectName, kind }) => `${subjectName}: ${kind}`);
    },
    held: () => db.heldAnnouncement.findMany({ where: { organizationId: story.organizationId } }),
  };
}
