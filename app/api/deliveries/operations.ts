import { getDelivery, listDeliveries } from '@/lib/domain/webhooks/read-deliveries';
import { replayDelivery } from '@/lib/domain/webhooks/resend-deliveries';
import { deliveriesQuerySchema, deliveryDetailSchema, deliverySchema } from '@/lib/schemas/webhooks/delivery';
import { operation } from '@/lib/web/http/operation';
import { listOperation } from '@/lib/web/http/operations/list-operation';
import { resource } from '@/lib/web/http/route';

export const deliveries = resource({
  '/deliveries': {
    GET: listOperation({
      operationId: 'listDeliveries',
      summary: 'List deliveries',
      scope: 'read',
      query: deliveriesQuerySchema,
      item: deliverySchema,
      run: ({ ctx, query }) => listDeliveries(ctx, query),
    }),
  },
  '/deliveries/{id}': {
    GET: operation({
      operationId: 'getDelivery',
      summary: 'Retrieve a delivery with its attempts',
      scope: 'read',
      output: deliveryDetailSchema,
      run: ({ ctx, params }) => getDelivery(ctx, params.id ?? ''),
    }),
  },
  /** 202: a worker makes the attempt. GET /deliveries/:id shows its outcome. */
  '/deliveries/{id}/replay': {
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
  },
});
