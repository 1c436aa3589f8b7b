import { listDeliveries } from '@/lib/domain/webhooks/read-deliveries';
import { deliveriesQuerySchema, deliverySchema } from '@/lib/schemas/webhooks/delivery';
import { listOperation } from '@/lib/web/http/operations/list-operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: listOperation({
    operationId: 'listDeliveries',
    summary: 'List deliveries',
    scope: 'read',
    query: deliveriesQuerySchema,
    item: deliverySchema,
    run: ({ ctx, query }) => listDeliveries(ctx, query),
  }),
});
