import { listOperation } from '@/lib/http/operation';
import { route } from '@/lib/http/route';
import { deliveriesQuerySchema, deliverySchema } from '@/lib/schemas/delivery';
import { listDeliveries } from '@/lib/webhooks/read-deliveries';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: listOperation({
    summary: 'List the deliveries',
    scope: 'read',
    query: deliveriesQuerySchema,
    item: deliverySchema,
    run: ({ ctx, query }) => listDeliveries(ctx, query),
  }),
});
