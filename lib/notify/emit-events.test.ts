import { expect, it } from 'vitest';
import { createIncident } from '@/lib/domain/incidents/create-incident';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { createEvents } from '@/lib/domain/webhooks/formats/sample-events';
import { createIncidentSchema } from '@/lib/schemas/incidents/incident';
import { EVENT_KINDS } from '@/lib/schemas/webhooks/event-kinds';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { emitEvents, type NewEvent } from './emit-events';

const database = useTestDatabase();

it('events of several organizations in one batch reach only the endpoints of their own organization', async () => {
  const services = createTestServices({ db: database.db });
  const owners = await Promise.all(
    ['first', 'second'].map(async (name) => {
      const { ctx, organizationId } = await createTestOrganization(services);
      const { id: endpointId } = await createWebhook(
        ctx,
        createWebhookSchema.parse({ url: 'http://receiver.test/' }),
      );
      return { name, organizationId, endpointId };
    }),
  );
  const occurredAt = services.clock.now();
  const events = owners.map(
    ({ name, organizationId }): NewEvent => ({
      organizationId,
      occurredAt,
      payload: {
        event: 'monitor.degraded',
        causedBy: null,
        timestamp: occurredAt.toISOString(),
        monitor: { id: `mon_${name}`, name, url: 'http://shop.test/', type: 'http', ref: null, tags: [] },
        incident: null,
        details: { responseTime: 1, statusCode: 200, errorMessage: null, region: 'us-east' },
      },
    }),
  );
  await database.db.$transaction((tx) => emitEvents(tx, services, events));

  for (const { name, organizationId, endpointId } of owners) {
    const deliveries = await database.db.delivery.findMany({
      where: { endpointId },
      include: { event: true },
    });
    expect(deliveries.map((delivery) => JSON.parse(delivery.event.payload).monitor.name)).toEqual([name]);
    expect(deliveries.map((delivery) => JSON.parse(delivery.event.payload).id)).toEqual(
      deliveries.map((delivery) => delivery.eventId),
    );
    expect(deliveries.map((delivery) => delivery.organizationId)).toEqual([organizationId]);
  }
});

it('an event is found by the incident that it is about', async () => {
  const services = createTestServices({ db: database.db });
  const { ctx, organizationId } = await createTestOrganization(services);
  await createWebhook(ctx, createWebhookSchema.parse({ url: 'http://receiver.test/' }));
  const { id } = await createIncident(ctx, createIncidentSchema.parse({ title: 'Slow', severity: 'minor' }));
  const events = await database.db.outboxEvent.findMany({ where: { organizationId } });
  expect(events.map(({ kind, incidentId }) => ({ kind, incidentId }))).toEqual([
    { kind: 'incident.created', incidentId: id },
  ]);
});

it('deliveries of one incident share a message in formats that people read, and belong to none in others', async () => {
  const services = createTestServices({ db: database.db });
  const { ctx, organizationId } = await createTestOrganization(services);
  const formats = ['standard', 'slack', 'pagerduty'] as const;
  for (const format of formats) {
    const input = { url: 'http://receiver.test/', format, events: [...EVENT_KINDS] };
    const credentials = format === 'pagerduty' ? { routingKey: 'key' } : {};
    await createWebhook(ctx, createWebhookSchema.parse({ ...input, credentials }));
  }
  const payloads = createEvents().filter((event) => event.event !== 'webhook.test');
  const occurredAt = services.clock.now();
  const events = payloads.map((payload) => ({ organizationId, occurredAt, payload }));
  await database.db.$transaction((tx) => emitEvents(tx, services, events));
  const incidents = payloads.map(({ incident }) => incident?.id ?? null);
  const endpoints = await database.db.webhookEndpoint.findMany({ where: { organizationId } });
  for (const { id: endpointId, format } of endpoints) {
    const deliveries = await database.db.delivery.findMany({
      where: { endpointId },
      orderBy: { number: 'asc' },
    });
    const keys = deliveries.map(({ messageKey }) => messageKey);
    expect(keys).toEqual(format === 'slack' ? incidents : payloads.map(() => null));
  }
});
