import { listOperation } from '@/lib/http/operation';
import { route } from '@/lib/http/route';
import { deliverySchema, endpointDeliveriesQuerySchema } from '@/lib/schemas/delivery';
import { listEndpointDeliveries } from '@/lib/webhooks/read-deliveries';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: listOperation({
    summary: 'List the deliveries to an endpoint',
    scope: 'read',
    query: endpointDeliveriesQuerySchema,
    item: deliverySchema,
    run: ({ ctx, params, query }) => listEndpointDeliveries(ctx, params.id ?? '', query),
  }),
});
