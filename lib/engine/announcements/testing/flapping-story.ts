import { createWebhook, updateWebhook } from '@/lib/domain/webhooks/change-webhook';
import type { Database } from '@/lib/platform/db/client';
import { EVENT_KINDS, type EventKind } from '@/lib/schemas/webhooks/event-kinds';
import { createWebhookSchema, updateWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import type { WebhookFormat } from '@/lib/webhook-formats/formats';
import { endSteady } from '../end-flapping';
import { beginDependencies } from './dependency-story';

const MINUTE = 60_000;

/** A monitor, and an endpoint of each kind that gets everything; times are minutes of the clock. */
export async function beginFlapping(db: Database, { names = ['Shop'], isDependent = false } = {}) {
  const story = await beginDependencies(db, { names });
  const { ctx, services, organizationId } = story;
  // At one host, their changes would be one story. One by one, hundreds would take a minute.
  await db.$executeRaw`
    UPDATE monitor SET url = 'http://' || lower(id) || '.test/', depends_on = CASE WHEN ${isDependent} THEN depends_on ELSE '{}' END
     WHERE organization_id = ${organizationId}`;
  const add = async (format: WebhookFormat, fields: object = {}) => {
    const input = { url: 'https://hooks.example.com/y', format, ...fields };
    return (await createWebhook(ctx, createWebhookSchema.parse(input))).id;
  };
  const more = {
    monitors: await add('discord', { events: ['monitor.down'] satisfies EventKind[] }),
    pagerduty: await add('pagerduty', {
      url: undefined,
      credentials: { routingKey: '01234567890123456789012345678901' },
      events: ['monitor.down', 'monitor.up', 'incident.created', 'incident.resolved'] satisfies EventKind[],
    }),
    bot: await add('slack', {
      url: undefined,
      credentials: { token: 'xoxb-1-a', channel: 'alerts' },
      events: EVENT_KINDS.filter((kind) => kind !== 'incident.acknowledged'),
    }),
    custom: await add('custom', { template: '{}', events: ['incident.created', 'incident.resolved'] }),
  };
  await story.check([]);
  const endpoints = { ...story.endpoints, ...more };
  const end = () => endSteady(services);

  return {
    ...story,
    endpoints,
    end,
    /** Changes the status of monitors that many times, one change after every `everyMs`, beginning with an outage. */
    async flap(times: number, { only = names, everyMs = MINUTE, isDown = false } = {}) {
      for (let change = 0, down = !isDown; change < times; change++, down = !down) {
        await story.check(down ? only : [], { afterMs: everyMs, only });
        await end();
      }
    },
    /** Lets time pass without any change. */
    async rest(minutes: number) {
      story.clock.advance(minutes * MINUTE);
      return end();
    },
    /** What an endpoint with a format that people read was sent, oldest first: the title of each message. */
    async read(to: 'chat' | 'monitors'): Promise<string[]> {
      const rows = await db.delivery.findMany({
        where: { endpointId: endpoints[to] },
        orderBy: { number: 'asc' },
      });
      return rows.map(({ body }) => titleOf(JSON.parse(body ?? '{}')));
    },
    /** Which of its messages each delivery to an endpoint posts or edits, from 1, oldest first. */
    async messages(to: keyof typeof endpoints): Promise<number[]> {
      const rows = await db.delivery.findMany({
        where: { endpointId: endpoints[to] },
        orderBy: { number: 'asc' },
      });
      const keys = [...new Set(rows.map(({ messageKey }) => messageKey))];
      return rows.map(({ messageKey }) => keys.indexOf(messageKey) + 1);
    },
    /** The events of the deliveries to an endpoint, oldest first. */
    async kinds(to: keyof typeof endpoints): Promise<string[]> {
      const rows = await db.delivery.findMany({
        where: { endpointId: endpoints[to] },
        include: { event: true },
        orderBy: { number: 'asc' },
      });
      return rows.map(({ event }) => event.kind);
    },
    /** The keys of the alerts that PagerDuty has open, from what it was sent. */
    async alerts(): Promise<string[]> {
      const where = { endpointId: endpoints.pagerduty };
      const rows = await db.delivery.findMany({ where, orderBy: { number: 'asc' } });
      const open = new Set<string>();
      for (const { body } of rows) {
        const { event_action, dedup_key } = JSON.parse(body ?? '{}');
        if (event_action === 'resolve') open.delete(dedup_key);
        else open.add(dedup_key);
      }
      return [...open];
    },
    /** Gives an endpoint rules. */
    limit: (to: keyof typeof endpoints, rules: object[]) =>
      updateWebhook(ctx, endpoints[to], updateWebhookSchema.parse({ rules })),
    flapping: () => db.flapping.findMany({ where: { organizationId }, orderBy: { id: 'asc' } }),
    incidents: () => db.incident.findMany({ where: { organizationId }, orderBy: { number: 'asc' } }),
  };
}

function titleOf(body: { text?: string; embeds?: { title: string }[] }) {
  return body.embeds?.[0]?.title ?? body.text ?? '';
}
