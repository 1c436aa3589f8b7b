import { replayDelivery } from '@/lib/domain/webhooks/resend-deliveries';
import { deliveryDetailSchema } from '@/lib/schemas/delivery';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

/** 202: a worker makes the try. GET /deliveries/:id says what came back. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: operation({
    summary: 'Send a delivery once more',
    scope: 'write',
    output: deliveryDetailSchema,
    status: 202,
    run: ({ ctx, params }) => replayDelivery(ctx, params.id ?? ''),
  }),
});
