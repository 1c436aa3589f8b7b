import { getDelivery } from '@/lib/domain/webhooks/read-deliveries';
import { deliveryDetailSchema } from '@/lib/schemas/webhooks/delivery';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: operation({
    operationId: 'getDelivery',
    summary: 'Retrieve a delivery with its attempts',
    scope: 'read',
    output: deliveryDetailSchema,
    run: ({ ctx, params }) => getDelivery(ctx, params.id ?? ''),
  }),
});
