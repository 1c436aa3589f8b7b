import { z } from 'zod';
import { type Product, readJson } from '../../testing/product';

const ROUTING_KEY = '01234567890123456789012345678901';

/** https://developer.pagerduty.com/docs/send-alert-event */
const eventSchema = z.discriminatedUnion('event_action', [
  z.strictObject({
    event_action: z.literal('trigger'),
    routing_key: z.string().length(32),
    dedup_key: z.string().min(1).max(255),
    payload: z.strictObject({
      summary: z.string().min(1).max(1024),
      source: z.string().min(1),
      severity: z.enum(['critical', 'error', 'warning', 'info']),
      timestamp: z.iso.datetime(),
      component: z.string().optional(),
      group: z.string().optional(),
      class: z.string().optional(),
      custom_details: z.record(z.string(), z.string()),
    }),
    client: z.string().optional(),
    client_url: z.url().optional(),
    links: z.array(z.strictObject({ href: z.url(), text: z.string() })).optional(),
  }),
  z.strictObject({
    event_action: z.enum(['acknowledge', 'resolve']),
    routing_key: z.string().length(32),
    dedup_key: z.string().min(1).max(255),
  }),
]);

/** PagerDuty's Events API, version 2. */
export const pagerDuty: Product = {
  credentials: { routingKey: ROUTING_KEY },
  secrets: [ROUTING_KEY],
  respond(request, alerts) {
    const { value, errors } = readJson(eventSchema, request);
    if (errors)
      return { status: 400, body: { status: 'invalid event', message: 'Event object is invalid', errors } };
    const { dedup_key, event_action, routing_key } = value;
    if (request.path !== '/v2/enqueue' || routing_key !== ROUTING_KEY) {
      return { status: 400, body: { status: 'invalid key', errors: [routing_key] } };
    }
    // Further triggers of an open alert only add to its log, and one that is not open cannot be acknowledged.
    if (event_action === 'trigger' && !alerts.has(dedup_key)) alerts.set(dedup_key, 'triggered');
    if (event_action === 'acknowledge' && alerts.has(dedup_key)) alerts.set(dedup_key, 'acknowledged');
    if (event_action === 'resolve') alerts.delete(dedup_key);
    return { status: 202, body: { status: 'success', message: 'Event processed', dedup_key } };
  },
};
