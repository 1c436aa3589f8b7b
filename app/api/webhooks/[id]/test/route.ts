import { testWebhook } from '@/lib/domain/webhooks/resend-deliveries';
import { deliveryDetailSchema } from '@/lib/schemas/webhooks/delivery';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

/** 202: a worker sends it. GET /deliveries/:id shows the outcome. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: operation({
    operationId: 'testWebhook',
    summary: 'Send a test event to a webhook endpoint',
    description: 'Sends the event `webhook.test` with a single attempt.',
    scope: 'write',
    errors: ['ENDPOINT_DISABLED'],
    output: deliveryDetailSchema,
    status: 202,
    run: ({ ctx, params }) => testWebhook(ctx, params.id ?? ''),
  }),
});
