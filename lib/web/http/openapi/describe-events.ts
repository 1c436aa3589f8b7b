import type { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { testPayloadSchema } from '@/lib/schemas/webhooks/delivery';
import { eventSchemas } from '@/lib/schemas/webhooks/events';
import { WEBHOOK_HEADERS } from './headers';

const SUMMARIES: Record<keyof typeof eventSchemas | 'webhook.test', string> = {
  'monitor.down': 'A monitor is down',
  'monitor.up': 'A monitor is operational again',
  'monitor.degraded': 'A monitor is slow, or fails in some regions',
  'incident.created': 'An incident was opened',
  'incident.updated': 'The status, severity or title of an incident, or what it affects, changed',
  'incident.acknowledged': 'Someone works on an incident',
  'incident.resolved': 'An incident was resolved',
  'webhook.test': 'A test, which you requested',
};

/** The requests that webhook endpoints receive, by kind of event. */
export function describeEvents() {
  const schemas = Object.entries({ ...eventSchemas, 'webhook.test': testPayloadSchema });
  return Object.fromEntries(schemas.map(([kind, schema]) => [kind, { post: describeEvent(kind, schema) }]));
}

function describeEvent(kind: string, schema: z.ZodObject): ZodOpenApiOperationObject {
  const name = kind.replace(/(^|\.)(\w)/g, (_match, _dot, letter: string) => letter.toUpperCase());
  return {
    operationId: `on${name}`,
    tags: ['webhooks'],
    summary: SUMMARIES[kind as keyof typeof SUMMARIES],
    description:
      'Sent to every enabled endpoint that has chosen it. Respond with 2xx within 30 seconds; anything else is retried five times over about 26 hours.',
    security: [],
    parameters: Object.entries(WEBHOOK_HEADERS).map(([header, described]) => ({
      ...described,
      in: 'header' as const,
      name: header,
      required: header !== 'X-Service-Signature-Next',
    })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schema.meta({ id: `${name}Event` }) } },
    },
    responses: {
      '2XX': { description: 'Received' },
      '4XX': { description: 'Not received: the delivery is retried' },
    },
  };
}
