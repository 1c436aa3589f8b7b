import { describe, expect, it } from 'vitest';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { createEvent } from '@/lib/domain/webhooks/formats/sample-events';
import { emitEvents } from '@/lib/notify/emit-events';
import type { Credentials } from '@/lib/schemas/webhooks/credentials';
import { EVENT_KINDS } from '@/lib/schemas/webhooks/event-kinds';
import { type EventContent, eventPayloadSchema } from '@/lib/schemas/webhooks/events';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import type { WebhookFormat } from '@/lib/webhook-formats/formats';

const database = useTestDatabase();

type Kind = EventContent['event'];
type Fields = { status?: string; severity?: string; id?: string };

/** An event about an incident, which is `inc_1` unless another is given. */
function about(kind: Kind, { id = 'inc_1', ...fields }: Fields = {}): EventContent {
  const event = eventPayloadSchema.parse(createEvent(kind));
  const isIncident = kind === 'monitor.down' || kind.startsWith('incident.');
  const incident = isIncident ? { ...event.incident, id, ...fields } : { id };
  return eventPayloadSchema.parse({ ...event, incident });
}

const DOWN = about('monitor.down');
const CREATED = about('incident.created', { status: 'investigating', severity: 'critical' });
const UPDATED = about('incident.updated', { status: 'investigating', severity: 'critical' });
const IDENTIFIED = about('incident.updated', { status: 'identified', severity: 'critical' });
const DEGRADED = about('monitor.degraded');
const UP = about('monitor.up');
const RESOLVED = about('incident.resolved');

async function begin(format: WebhookFormat, credentials: Credentials = {}) {
  const services = createTestServices({ db: database.db });
  const { ctx, organizationId } = await createTestOrganization(services);
  const input = { url: 'http://receiver.test/', format, credentials, events: [...EVENT_KINDS] };
  const { id: endpointId } = await createWebhook(ctx, createWebhookSchema.parse(input));
  return {
    endpointId,
    /** Emits events in one transaction. */
    emit: (...payloads: EventContent[]) => {
      const occurredAt = services.clock.now();
      const events = payloads.map((payload) => ({ organizationId, occurredAt, payload }));
      return database.db.$transaction((tx) => emitEvents(tx, services, events));
    },
    /** The kinds of the events that are delivered, oldest first. */
    delivered: async () => {
      const rows = await database.db.delivery.findMany({
        where: { endpointId },
        orderBy: { number: 'asc' },
        include: { event: true },
      });
      return rows.map(({ event }) => event.kind);
    },
  };
}

describe('where people read messages', () => {
  it('an outage and its incident are one message, and so is their end', async () => {
    const { emit, delivered } = await begin('teams');
    await emit(DOWN, CREATED);
    expect(await delivered()).toEqual(['monitor.down']);
    await emit(UP, RESOLVED);
    expect(await delivered()).toEqual(['monitor.down', 'monitor.up']);
  });

  it('an update is a message if it changes the status, or is worse', async () => {
    const { emit, delivered } = await begin('mattermost');
    await emit(about('incident.created', { status: 'investigating', severity: 'minor' }));
    await emit(about('incident.updated', { status: 'investigating', severity: 'minor' }));
    expect(await delivered()).toEqual(['incident.created']);
    await emit(UPDATED);
    await emit(IDENTIFIED);
    await emit(IDENTIFIED);
    expect(await delivered()).toEqual(['incident.created', 'incident.updated', 'incident.updated']);
  });

  it('a monitor that only is degraded after it was down is a message, and one when it is down again', async () => {
    const { emit, delivered } = await begin('googlechat');
    await emit(DOWN, CREATED);
    await emit(DEGRADED, about('incident.updated', { status: 'monitoring', severity: 'critical' }));
    await emit(DOWN, UPDATED);
    expect(await delivered()).toEqual(['monitor.down', 'monitor.degraded', 'monitor.down']);
  });

  it('a slow monitor and its incident are one message, and another one once it is down', async () => {
    const { emit, delivered } = await begin('slack');
    await emit(DEGRADED, about('incident.created', { status: 'investigating', severity: 'minor' }));
    await emit(DOWN, UPDATED);
    await emit(UP, RESOLVED);
    expect(await delivered()).toEqual(['monitor.degraded', 'monitor.down', 'monitor.up']);
  });

  it('every incident has its own messages', async () => {
    const { emit, delivered } = await begin('teams');
    await emit(
      CREATED,
      about('incident.created', { id: 'inc_2', status: 'investigating', severity: 'critical' }),
    );
    await emit(
      UPDATED,
      about('incident.updated', { id: 'inc_2', status: 'identified', severity: 'critical' }),
    );
    expect(await delivered()).toEqual(['incident.created', 'incident.created', 'incident.updated']);
  });

  it('what never arrived does not count', async () => {
    const { emit, delivered, endpointId } = await begin('teams');
    await emit(CREATED);
    await database.db.delivery.updateMany({
      where: { endpointId },
      data: { status: 'failed', nextAttemptAt: null },
    });
    await emit(UPDATED);
    expect(await delivered()).toEqual(['incident.created', 'incident.updated']);
  });

  it('events without an incident are all messages', async () => {
    const { emit, delivered } = await begin('teams');
    const slow = eventPayloadSchema.parse(createEvent('monitor.degraded'));
    await emit(slow, slow);
    expect(await delivered()).toEqual(['monitor.degraded', 'monitor.degraded']);
  });
});

describe.each([
  ['slack', { token: 'xoxb-1-a', channel: 'alerts' }],
  ['discord', {}],
  ['telegram', { token: '1:a', chatId: '1' }],
] as const)('where messages can be edited, as in %s', (format, credentials) => {
  it('an update in the same status is an edit, and what occurs at once is one message', async () => {
    const { emit, delivered } = await begin(format, credentials);
    await emit(DOWN, CREATED);
    await emit(UPDATED);
    await emit(UP, RESOLVED);
    expect(await delivered()).toEqual(['monitor.down', 'incident.updated', 'monitor.up']);
  });
});

it.each(['standard', 'alertmanager', 'custom'] as const)('%s gets every event', async (format) => {
  const { endpointId, emit, delivered } = await begin('standard');
  if (format !== 'standard')
    await database.db.webhookEndpoint.update({ where: { id: endpointId }, data: { format } });
  await emit(DOWN, CREATED);
  await emit(UPDATED);
  await emit(UP, RESOLVED);
  expect(await delivered()).toEqual([DOWN, CREATED, UPDATED, UP, RESOLVED].map(({ event }) => event));
});
