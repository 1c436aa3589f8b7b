import { recoverDeliveries } from '@/lib/domain/webhooks/resend-deliveries';
import { recoveredSchema, recoverSchema } from '@/lib/schemas/webhooks/delivery';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: operation({
    operationId: 'recoverDeliveries',
    summary: 'Recover failed deliveries',
    description: 'Queues all deliveries that have failed since a given time.',
    scope: 'write',
    errors: ['ENDPOINT_DISABLED'],
    body: recoverSchema,
    output: recoveredSchema,
    status: 202,
    run: ({ ctx, params, body }) => recoverDeliveries(ctx, params.id ?? '', body),
  }),
});
