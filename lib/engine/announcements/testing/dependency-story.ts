import { z } from 'zod';
import { recordPresence } from '@/lib/domain/monitors/silence';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { createMonitors } from '@/lib/domain/monitors/writes/create-monitors';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import type { DueCheck } from '@/lib/engine/checks/shards/scheduled-monitor';
import { beginStory, FAILED, OK, recordAsOwner } from '@/lib/engine/testing/story';
import type { Database } from '@/lib/platform/db/client';
import { bulkItem } from '@/lib/schemas/monitor/bulk';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { announceStories } from '../announce-stories';
import { decideHeld } from '../decide-held';
import { releaseSuppressed } from '../release-suppressed';

/** As many as a worker. */
const RECORDED_TOGETHER = 500;
const RECEIVER = 'https://hooks.example.com/x';
const USUAL = { url: 'http://shop.test/', interval: 60, timeout: 5, alertThreshold: 1 };

const slackTitle = z.object({ blocks: z.tuple([z.object({ text: z.object({ text: z.string() }) })]) });

/**
 * A gateway and monitors that depend on it, which are down after one failed check, with an endpoint for programs and one for people, and
 * email.
 */
export async function beginDependencies(
  db: Database,
  {
    names = ['Shop'],
    gateway = {},
    /** Of a named monitor, in place of the usual ones. */
    fieldsOf = (_: string): object => ({}),
    urls = { standard: RECEIVER, chat: RECEIVER },
  } = {},
) {
  const story = await beginStory(db, { mail: true });
  const { ctx, services, clock } = story;
  const endpoint = async (fields: object) => (await createWebhook(ctx, createWebhookSchema.parse(fields))).id;
  const endpoints = {
    standard: await endpoint({
      url: urls.standard,
      events: ['monitor.down', 'monitor.up', 'monitor.degraded', 'incident.created'],
    }),
    chat: await endpoint({ url: urls.chat, format: 'slack' }),
  };
  const parent = await story.addMonitor({ ...USUAL, name: 'Gateway', ...gateway });
  const children = names.map((name) =>
    bulkItem({ ...USUAL, name, dependsOn: [parent.id], ...fieldsOf(name) }),
  );
  const ids = new Map<string, string>();
  for (let first = 0; first < children.length; first += RECORDED_TOGETHER) {
    const some = children.slice(first, first + RECORDED_TOGETHER);
    for (const outcome of await createMonitors(ctx, some, { isAtomic: true, isUpsert: false })) {
      if ('resource' in outcome) ids.set(outcome.resource.name, outcome.resource.id);
    }
  }
  ids.set('Gateway', parent.id);
  const serve = () => recordPresence(services, { regions: ['us-east'], duties: 'all' });
  const idOf = (name: string) => ids.get(name) ?? '';
  const chatTexts = async (): Promise<string[]> => {
    const where = { endpointId: endpoints.chat };
    const rows = await db.delivery.findMany({ where, orderBy: { number: 'asc' } });
    return rows.map(({ body }) => body ?? '');
  };

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
      { afterMs = 90_000, only = [...ids.keys()], isRequested = false, services: used = services } = {},
    ) {
      clock.advance(afterMs - 1);
      await serve();
      const startedAt = clock.now();
      const chosen = only.map(idOf);
      if (!isRequested) {
        const where = { monitorId: { in: chosen } };
        await db.probeSchedule.updateMany({ where, data: { nextCheckAt: startedAt } });
      }
      const due: DueCheck[] = [];
      for (let taken = await story.take(); taken.length > 0; taken = await story.take()) due.push(...taken);
      const isChosen = new Set(chosen);
      const isFailing = new Set(failing.map(idOf));
      const checked = due.filter(({ monitor }) => isChosen.has(monitor.id));
      clock.advance(1);
      for (let first = 0; first < checked.length; first += RECORDED_TOGETHER) {
        const finished = checked.slice(first, first + RECORDED_TOGETHER).map((check) => {
          return { check, startedAt, result: isFailing.has(check.monitor.id) ? FAILED : OK };
        });
        await recordAsOwner(used, finished);
      }
      return checked.length;
    },
    /** What workers do about announcements now, one of which serves the region unless `isServed` is false. */
    async decide({ isServed = true } = {}) {
      if (isServed) await serve();
      await releaseSuppressed(services);
      return decideHeld(services);
    },
    /** Has workers announce the rest of stories after a while. */
    announceRest(afterMs = 60_000) {
      clock.advance(afterMs);
      return announceStories(services);
    },
    /** The titles of messages to the endpoint for people, oldest first. */
    messages: async (): Promise<string[]> =>
      (await chatTexts()).map((body) => slackTitle.parse(JSON.parse(body)).blocks[0].text.text),
    /** The bodies of those messages. */
    chatTexts,
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
