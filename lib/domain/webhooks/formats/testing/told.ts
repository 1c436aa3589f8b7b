import type { Told } from '@/lib/domain/webhooks/formats/message';
import { type DeliveryKind, testPayloadSchema } from '@/lib/schemas/delivery';
import { eventPayloadSchema } from '@/lib/schemas/events';

/** What may be anything in an event, for it comes from people or from targets. */
export type Texts = Partial<
  Record<'name' | 'url' | 'errorMessage' | 'title' | 'description' | 'message', string>
>;

/** One of each kind that can be delivered, with these texts in it. */
export function tellEverything(texts: Texts = {}): Told[] {
  const monitor = {
    id: 'mon_01jpa7k3q8f2v9x4m6t0r5w1ze',
    name: texts.name ?? 'Checkout API',
    url: texts.url ?? 'https://shop.example.com/health',
    type: 'http',
  };
  const incident = {
    id: 'inc_01jpa7k3q8f2v9x4m6t0r5w1ze',
    title: texts.title ?? 'Payments fail',
    description: texts.description ?? 'Card payments are refused.\nOther ways to pay work.',
    severity: 'major',
    affectedMonitors: [monitor.id, 'mon_01jpa7k3q8f2v9x4m6t0r5w1zf'],
  };
  const timestamp = '2026-03-01T12:00:00.250Z';
  const answer = { responseTime: 182, statusCode: 200, region: 'us-east' };
  const error = texts.errorMessage ?? 'responded with 503, expected 200';
  const events = [
    {
      event: 'monitor.down',
      timestamp,
      monitor,
      incident: { id: incident.id, severity: 'critical', status: 'investigating' },
      details: { ...answer, statusCode: 503, errorMessage: error, consecutiveFailures: 3 },
    },
    { event: 'monitor.up', timestamp, monitor, details: { ...answer, downtime: '12m' } },
    {
      event: 'monitor.degraded',
      timestamp,
      monitor,
      details: { ...answer, responseTime: 6240, errorMessage: texts.errorMessage ?? null },
    },
    { event: 'incident.created', timestamp, incident: { ...incident, status: 'investigating' } },
    {
      event: 'incident.updated',
      timestamp,
      incident: {
        ...incident,
        status: 'identified',
        previousStatus: 'investigating',
        message: texts.message ?? 'The cause is found and being repaired.',
      },
    },
    {
      event: 'incident.resolved',
      timestamp,
      incident: { ...incident, status: 'resolved', resolvedAt: timestamp, duration: '1h 5m' },
    },
  ];
  const webhook = {
    id: 'whk_01jpa7k3q8f2v9x4m6t0r5w1ze',
    url: 'https://hooks.example.com/services/T0/B0/secret',
  };
  return [
    ...events.map((event) => eventPayloadSchema.parse(event)),
    testPayloadSchema.parse({ event: 'webhook.test', timestamp, webhook }),
  ];
}

/** The one of a kind. */
export function tell(kind: DeliveryKind, texts: Texts = {}): Told {
  const told = tellEverything(texts).find(({ event }) => event === kind);
  if (!told) throw new Error(`nothing tells of ${kind}`);
  return told;
}
