import { replayDelivery } from '@/lib/domain/webhooks/resend-deliveries';
import { deliveryDetailSchema } from '@/lib/schemas/webhooks/delivery';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

/** 202: a worker makes the attempt. GET /deliveries/:id shows its outcome. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: operation({
    operationId: 'replayDelivery',
    summary: 'Replay a delivery',
    description: 'Queues one more attempt with the same body and delivery ID.',
    scope: 'write',
    errors: ['ENDPOINT_DISABLED'],
    output: deliveryDetailSchema,
    status: 202,
    run: ({ ctx, params }) => replayDelivery(ctx, params.id ?? ''),
  }),
});
