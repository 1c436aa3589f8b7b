import { afterAll, beforeAll, expect, it } from 'vitest';
import { updateIncident } from '@/lib/domain/incidents/change-incident';
import { createIncident } from '@/lib/domain/incidents/create-incident';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { awaitAttempts } from '@/lib/engine/deliveries/drain-deliveries';
import { createTestDeliveryEngine } from '@/lib/engine/testing/delivery-story';
import { beginStory, FAILED, OK, SLOW } from '@/lib/engine/testing/story';
import { createIncidentSchema, updateIncidentSchema } from '@/lib/schemas/incidents/incident';
import { type EventContent, eventPayloadSchema } from '@/lib/schemas/webhooks/events';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useTestDatabase } from '@/lib/testing/database';
import { type Receiver, startReceiver } from '@/lib/testing/receiver';

const database = useTestDatabase();
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

/** An organization with an endpoint, whose monitors are checked manually. */
async function begin() {
  const story = await beginStory(database.db);
  const engine = createTestDeliveryEngine(story.services);
  const path = `/${story.organizationId}`;
  await createWebhook(story.ctx, createWebhookSchema.parse({ url: receiver.url + path }));
  let seen = 0;
  return {
    ...story,
    /**
     * The events received now, monitor events first. Each matches the reference, with no extra or missing
     * field.
     */
    async receive(): Promise<EventContent[]> {
      await engine.pump.start(story.clock.now());
      await awaitAttempts(engine);
      const own = receiver.requests.filter((request) => request.path === path);
      const fresh = own.slice(seen);
      seen = own.length;
      const bodies = fresh.map(({ headers, body }) => {
        const parsed: unknown = JSON.parse(body);
        const described = eventPayloadSchema.parse(parsed);
        expect(described).toEqual(parsed);
        expect(headers['x-service-event']).toBe(described.event);
        const { id: eventId, ...content } = described;
        expect(headers['x-service-event-id']).toBe(eventId);
        return content as EventContent;
      });
      return bodies.toSorted((a, b) => b.event.localeCompare(a.event));
    },
  };
}

it('every event of a monitor and its incident has exactly the documented fields', async () => {
  const story = await begin();
  const { id } = await story.addMonitor({
    alertThreshold: 1,
    degradedThreshold: 5000,
    ref: 'shop-1',
    tags: ['shop', 'eu'],
  });
  const monitor = {
    id,
    name: 'Shop',
    url: 'http://shop.test/',
    type: 'http',
    ref: 'shop-1',
    tags: ['shop', 'eu'],
  };
  const now = () => story.clock.now().toISOString();

  await story.check(OK, { afterMs: 0 });
  expect(await story.receive(), 'the first good check is no event').toEqual([]);

  await story.check(SLOW);
  const degraded = await story.receive();
  const [, opened] = degraded;
  const incidentId = opened?.event === 'incident.created' ? opened.incident.id : '';
  const slow = {
    responseTime: 9000,
    statusCode: 200,
    errorMessage: 'responded in 9000 ms, slower than 5000 ms',
    region: 'us-east',
  };
  const incident = {
    id: incidentId,
    description: 'Shop shows degraded performance.',
    affectedMonitors: [id],
    affectedComponents: [],
    impacts: {},
  };
  expect(incidentId).toMatch(/^inc_/);
  expect(degraded).toEqual([
    {
      event: 'monitor.degraded',
      causedBy: null,
      timestamp: now(),
      monitor,
      incident: { id: incidentId },
      details: slow,
    },
    {
      event: 'incident.created',
      causedBy: null,
      timestamp: now(),
      incident: { ...incident, title: 'Shop is degraded', status: 'investigating', severity: 'minor' },
    },
  ]);

  await story.check(FAILED);
  expect(await story.receive()).toEqual([
    {
      event: 'monitor.down',
      causedBy: null,
      timestamp: now(),
      monitor,
      incident: { id: incidentId, severity: 'critical', status: 'investigating' },
      details: {
        consecutiveFailures: 1,
        errorMessage: 'responded with 503, expected 200',
        responseTime: 12,
        statusCode: 503,
        region: 'us-east',
      },
    },
    {
      event: 'incident.updated',
      timestamp: now(),
      incident: {
        ...incident,
        title: 'Shop is down',
        status: 'investigating',
        severity: 'critical',
        previousStatus: 'investigating',
        message: 'Shop is down.',
      },
    },
  ]);

  await story.check(SLOW);
  expect(await story.receive()).toEqual([
    {
      event: 'monitor.degraded',
      causedBy: null,
      timestamp: now(),
      monitor,
      incident: { id: incidentId },
      details: slow,
    },
    {
      event: 'incident.updated',
      timestamp: now(),
      incident: {
        ...incident,
        title: 'Shop is degraded',
        status: 'monitoring',
        severity: 'critical',
        previousStatus: 'investigating',
        message: 'Shop is responding again, with degraded performance.',
      },
    },
  ]);

  await story.check(OK);
  expect(await story.receive()).toEqual([
    {
      event: 'monitor.up',
      timestamp: now(),
      monitor,
      incident: { id: incidentId },
      details: { responseTime: 12, statusCode: 200, downtime: '1m', region: 'us-east' },
    },
    {
      event: 'incident.resolved',
      timestamp: now(),
      incident: {
        ...incident,
        title: 'Shop is degraded',
        status: 'resolved',
        severity: 'critical',
        resolvedAt: now(),
        duration: '4m',
      },
    },
  ]);
});

it('every event of a manual incident has exactly the documented fields', async () => {
  const story = await begin();
  const { id: monitorId } = await story.addMonitor({ regions: ['eu-west'] });
  const written = { title: 'Payments fail', description: 'We look into it.', severity: 'major' } as const;
  const input = createIncidentSchema.parse({ ...written, affectedMonitors: [monitorId] });
  const { id } = await createIncident(story.ctx, input);
  const incident = { id, ...written, affectedMonitors: [monitorId], affectedComponents: [], impacts: {} };
  const change = async (changes: object) => {
    story.clock.advance(3_900_000);
    await updateIncident(story.ctx, id, updateIncidentSchema.parse(changes));
    return story.receive();
  };
  expect(await story.receive()).toEqual([
    {
      event: 'incident.created',
      causedBy: null,
      timestamp: story.clock.now().toISOString(),
      incident: { ...incident, status: 'investigating' },
    },
  ]);
  expect(await change({ status: 'identified', message: 'A certificate has expired.' })).toEqual([
    {
      event: 'incident.updated',
      timestamp: story.clock.now().toISOString(),
      incident: {
        ...incident,
        status: 'identified',
        previousStatus: 'investigating',
        message: 'A certificate has expired.',
      },
    },
  ]);
  const resolved = await change({ status: 'resolved' });
  const resolvedAt = story.clock.now().toISOString();
  expect(resolved).toEqual([
    {
      event: 'incident.resolved',
      timestamp: resolvedAt,
      incident: { ...incident, status: 'resolved', resolvedAt, duration: '2h 10m' },
    },
  ]);
});
