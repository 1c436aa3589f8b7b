import type { WebhookEvent } from '@/lib/notify/message';
import { type DeliveryKind, testPayloadSchema } from '@/lib/schemas/webhooks/delivery';
import { eventPayloadSchema } from '@/lib/schemas/webhooks/events';

/** Texts of an event that come from people or targets. */
export type Texts = Partial<
  Record<'name' | 'url' | 'errorMessage' | 'title' | 'description' | 'message' | 'by', string>
>;

const ID = 'evt_01jpa7k3q8f2v9x4m6t0r5w1ze';
const TIMESTAMP = '2026-03-01T12:00:00.250Z';

/** One event of each kind, with these texts. */
export function createEvents(texts: Texts = {}): WebhookEvent[] {
  const monitor = {
    id: 'mon_01jpa7k3q8f2v9x4m6t0r5w1ze',
    name: texts.name ?? 'Checkout API',
    url: texts.url ?? 'https://shop.example.com/health',
    type: 'http',
    ref: null,
    tags: ['shop'],
  };
  const incident = {
    id: 'inc_01jpa7k3q8f2v9x4m6t0r5w1ze',
    title: texts.title ?? 'Payments fail',
    description: texts.description ?? 'Card payments are refused.\nOther ways to pay work.',
    severity: 'major',
    affectedMonitors: [monitor.id, 'mon_01jpa7k3q8f2v9x4m6t0r5w1zf'],
    affectedComponents: [],
    impacts: {},
  };
  const events = [...listMonitorEvents(texts, monitor, incident), ...listIncidentEvents(texts, incident)];
  const webhook = {
    id: 'whk_01jpa7k3q8f2v9x4m6t0r5w1ze',
    url: 'https://hooks.example.com/services/T0/B0/secret',
  };
  return [
    ...events.map((event) => eventPayloadSchema.parse({ id: ID, timestamp: TIMESTAMP, ...event })),
    testPayloadSchema.parse({ id: ID, event: 'webhook.test', timestamp: TIMESTAMP, webhook }),
  ];
}

function listMonitorEvents({ errorMessage }: Texts, monitor: object, { id }: { id: string }) {
  const response = { responseTime: 182, statusCode: 200, region: 'us-east' };
  const error = errorMessage ?? 'responded with 503, expected 200';
  return [
    {
      event: 'monitor.down',
      causedBy: null,
      monitor,
      incident: { id, severity: 'critical', status: 'investigating' },
      details: { ...response, statusCode: 503, errorMessage: error, consecutiveFailures: 3 },
    },
    { event: 'monitor.up', monitor, incident: { id }, details: { ...response, downtime: '12m' } },
    {
      event: 'monitor.degraded',
      causedBy: null,
      monitor,
      incident: null,
      details: { ...response, responseTime: 6240, errorMessage: errorMessage ?? null },
    },
  ];
}

function listIncidentEvents({ message, by }: Texts, incident: object) {
  return [
    { event: 'incident.created', causedBy: null, incident: { ...incident, status: 'investigating' } },
    {
      event: 'incident.updated',
      incident: {
        ...incident,
        status: 'identified',
        previousStatus: 'investigating',
        message: message ?? 'The cause is found and being repaired.',
      },
    },
    {
      event: 'incident.acknowledged',
      incident: { ...incident, status: 'identified', acknowledgedAt: TIMESTAMP },
      acknowledgedBy: { name: by ?? 'ada@example.com' },
      via: null,
    },
    {
      event: 'incident.resolved',
      incident: { ...incident, status: 'resolved', resolvedAt: TIMESTAMP, duration: '1h 5m' },
    },
  ];
}

/** An event of one kind. */
export function createEvent(kind: DeliveryKind, texts: Texts = {}): WebhookEvent {
  const found = createEvents(texts).find(({ event }) => event === kind);
  if (!found) throw new Error(`no event of kind ${kind}`);
  return found;
}
