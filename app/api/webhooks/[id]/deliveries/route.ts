import { listEndpointDeliveries } from '@/lib/domain/webhooks/read-deliveries';
import { deliverySchema, endpointDeliveriesQuerySchema } from '@/lib/schemas/webhooks/delivery';
import { listOperation } from '@/lib/web/http/operations/list-operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: listOperation({
    operationId: 'listWebhookDeliveries',
    summary: 'List deliveries to a webhook endpoint',
    scope: 'read',
    query: endpointDeliveriesQuerySchema,
    item: deliverySchema,
    run: ({ ctx, params, query }) => listEndpointDeliveries(ctx, params.id ?? '', query),
  }),
});
