import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProbeResult } from '@/lib/checks/result';
import { createIncident } from '@/lib/domain/incidents/create-incident';
import { deleteMonitor } from '@/lib/domain/monitors/change-selected';
import { createWebhook, updateWebhook } from '@/lib/domain/webhooks/change-webhook';
import { beginStory, FAILED, OK, SLOW } from '@/lib/engine/testing/story';
import { createIncidentSchema } from '@/lib/schemas/incidents/incident';
import { createWebhookSchema, updateWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useTestDatabase } from '@/lib/testing/database';
import { openCountingDatabase } from '@/lib/testing/statements';
import { emitEvents, type NewEvent } from './emit-events';

const database = useTestDatabase();

/** A shop that is slow or down after one check. */
async function begin() {
  const story = await beginStory(database.db);
  const { ctx } = story;
  const shop = await story.addMonitor({
    tags: ['shop'],
    interval: 60,
    alertThreshold: 1,
    degradedThreshold: 5000,
  });
  return {
    ...story,
    shop,
    check: (result: ProbeResult) => story.check(result),
    addEndpoint: async (fields: object) => {
      const input = createWebhookSchema.parse({ url: 'http://receiver.test/', ...fields });
      return (await createWebhook(ctx, input)).id;
    },
    setRules: (id: string, rules: object[]) => updateWebhook(ctx, id, updateWebhookSchema.parse({ rules })),
    sent: async (endpointId: string) => {
      const where = { endpointId };
      const rows = await database.db.delivery.findMany({
        where,
        include: { event: true },
        orderBy: { number: 'asc' },
      });
      return rows.map(({ event }) => event.kind);
    },
  };
}

describe('the events of a monitor', () => {
  it('are sent to endpoints whose rules match, by tag and monitor', async () => {
    const { addEndpoint, shop, check, sent } = await begin();
    const events = ['monitor.down', 'incident.created'];
    const all = await addEndpoint({ events });
    const tagged = await addEndpoint({ events, rules: [{ tags: ['blog'] }, { tags: ['shop', 'x'] }] });
    const named = await addEndpoint({ events, rules: [{ monitors: [shop.id] }] });
    const others = await addEndpoint({ events, rules: [{ tags: ['blog'] }] });
    await check(OK);
    await check(FAILED);
    for (const id of [all, tagged, named]) expect(await sent(id)).toEqual(events);
    expect(await sent(others)).toEqual([]);
  });

  it('leave no rows if no rules match', async () => {
    const { addEndpoint, organizationId, check } = await begin();
    await addEndpoint({ rules: [{ tags: ['blog'] }] });
    await check(OK);
    await check(FAILED);
    expect(await database.db.outboxEvent.count({ where: { organizationId } })).toBe(0);
  });

  it('follow the schedule of a rule, and the rest of an incident is sent at any time', async () => {
    const { addEndpoint, check, sent, clock } = await begin();
    const hours = (from: string, to: string) => ({ rules: [{ schedule: { from, to } }] });
    // The story begins at 12:00 in UTC.
    const noon = await addEndpoint({ ...hours('11:00', '12:10'), events: ['monitor.down', 'monitor.up'] });
    const night = await addEndpoint({ ...hours('22:00', '06:00'), events: ['monitor.down', 'monitor.up'] });
    await check(OK);
    await check(FAILED);
    clock.advance(3_600_000);
    await check(OK);
    await check(OK);
    expect(await sent(noon)).toEqual(['monitor.down', 'monitor.up']);
    expect(await sent(night)).toEqual([]);
  });
});

describe('an incident', () => {
  it('is sent from when it is severe enough for a rule, to its end', async () => {
    const { addEndpoint, check, sent } = await begin();
    const critical = await addEndpoint({ format: 'slack', rules: [{ severities: ['critical'] }] });
    await check(OK);
    await check(SLOW);
    expect(await sent(critical)).toEqual([]);
    await check(FAILED);
    expect(await sent(critical)).toEqual(['incident.updated']);
    await check(OK);
    await check(OK);
    expect(await sent(critical)).toEqual(['incident.updated', 'incident.resolved']);
  });

  it('that an endpoint knows is sent to its end, although its rules change', async () => {
    const { addEndpoint, check, sent, setRules } = await begin();
    const pager = await addEndpoint({ format: 'slack', rules: [{ tags: ['shop'] }] });
    await check(OK);
    await check(FAILED);
    await setRules(pager, [{ tags: ['blog'] }]);
    await check(OK);
    await check(OK);
    expect(await sent(pager)).toEqual(['incident.created', 'incident.resolved']);
    await check(FAILED);
    expect(await sent(pager)).toHaveLength(2);
  });

  it('of a person matches by any of the monitors that it affects', async () => {
    const { addEndpoint, addMonitor, shop, ctx, sent } = await begin();
    const blog = await addMonitor({ name: 'Blog', tags: ['blog'] });
    const tagged = await addEndpoint({ rules: [{ tags: ['blog'] }] });
    const others = await addEndpoint({ rules: [{ tags: ['db'] }, { severities: ['minor'] }] });
    const create = (fields: object) =>
      createIncident(ctx, createIncidentSchema.parse({ title: 'Slow', severity: 'major', ...fields }));
    await create({ affectedMonitors: [shop.id, blog.id] });
    await create({ affectedMonitors: [shop.id] });
    await create({ affectedMonitors: [] });
    expect(await sent(tagged)).toEqual(['incident.created']);
    expect(await sent(others)).toEqual([]);
    // Both events are of one transaction: who is sent the first gets the second.
    const onlyNew = await addEndpoint({ rules: [{ tags: ['blog'], kinds: ['incident.created'] }] });
    await create({ affectedMonitors: [blog.id], status: 'resolved' });
    expect(await sent(onlyNew)).toEqual(['incident.created', 'incident.resolved']);
  });
});

describe('the monitors of rules', () => {
  const unknown = (path: string) => ({
    code: 'UNKNOWN_MONITOR',
    details: [expect.objectContaining({ path })],
  });

  it('must be those of the organization', async () => {
    const { addEndpoint, shop } = await begin();
    const { shop: foreign } = await begin();
    const rules = [{ tags: ['shop'] }, { monitors: [shop.id, foreign.id] }];
    await expect(addEndpoint({ rules })).rejects.toMatchObject(unknown('rules.1.monitors.1'));
    await expect(addEndpoint({ rules: [{ monitors: ['no ID'] }] })).rejects.toMatchObject(
      unknown('rules.0.monitors.0'),
    );
  });

  it('stay when they are deleted, and match nothing', async () => {
    const { ctx, addEndpoint, addMonitor, shop, setRules, check, sent } = await begin();
    const blog = await addMonitor({ name: 'Blog' });
    const id = await addEndpoint({ rules: [{ monitors: [blog.id] }] });
    await deleteMonitor(ctx, blog.id);
    await check(OK);
    await check(FAILED);
    expect(await sent(id)).toEqual([]);
    const { rules } = await setRules(id, [{ monitors: [blog.id, shop.id] }]);
    expect(rules).toMatchObject([{ monitors: [blog.id, shop.id] }]);
    await expect(setRules(id, [{ monitors: [blog.id, 'mon_other'] }])).rejects.toMatchObject(
      unknown('rules.0.monitors.1'),
    );
  });
});

describe('the statements', () => {
  let counting: ReturnType<typeof openCountingDatabase>;
  beforeAll(() => {
    counting = openCountingDatabase(database.url);
  });
  afterAll(() => counting.db.$disconnect());

  it('are two more if an endpoint has rules, however many events there are', async () => {
    const { services, organizationId, shop, clock, addEndpoint } = await begin();
    const occurredAt = clock.now();
    const down: NewEvent = {
      organizationId,
      occurredAt,
      payload: {
        event: 'monitor.degraded',
        causedBy: null,
        timestamp: occurredAt.toISOString(),
        monitor: { id: shop.id, name: 'Shop', url: shop.url, type: 'http', ref: null, tags: ['shop'] },
        incident: { id: 'inc_shop' },
        details: { responseTime: 1, statusCode: 200, errorMessage: null, region: 'us-east' },
      },
    };
    const count = (events: number) =>
      counting.count(() =>
        counting.db.$transaction((tx) =>
          emitEvents(
            tx,
            services,
            Array.from({ length: events }, () => down),
          ),
        ),
      );
    await addEndpoint({});
    const without = await count(1);
    await addEndpoint({ rules: [{ tags: ['shop'], severities: ['minor'] }] });
    expect(await count(1)).toBe(without + 2);
    expect(await count(50)).toBe(without + 2);
  });
});
