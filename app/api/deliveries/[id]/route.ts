import { operation } from '@/lib/http/operation';
import { route } from '@/lib/http/route';
import { deliveryDetailSchema } from '@/lib/schemas/delivery';
import { getDelivery } from '@/lib/webhooks/read-deliveries';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: operation({
    summary: 'Retrieve one delivery with its tries',
    scope: 'read',
    output: deliveryDetailSchema,
    run: ({ ctx, params }) => getDelivery(ctx, params.id ?? ''),
  }),
});
