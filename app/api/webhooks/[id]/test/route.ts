import { operation } from '@/lib/http/operation';
import { route } from '@/lib/http/route';
import { deliveryDetailSchema } from '@/lib/schemas/delivery';
import { testWebhook } from '@/lib/webhooks/test-webhook';

/** 202: a worker sends it. GET /deliveries/:id says what came back. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: operation({
    summary: 'Send the event webhook.test, one try',
    scope: 'write',
    output: deliveryDetailSchema,
    status: 202,
    run: ({ ctx, params }) => testWebhook(ctx, params.id ?? ''),
  }),
});
