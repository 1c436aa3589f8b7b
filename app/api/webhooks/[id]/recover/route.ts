import { operation } from '@/lib/http/operation';
import { route } from '@/lib/http/route';
import { recoveredSchema, recoverSchema } from '@/lib/schemas/delivery';
import { recoverDeliveries } from '@/lib/webhooks/recover-deliveries';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: operation({
    summary: 'Queue again what failed since a moment',
    scope: 'write',
    body: recoverSchema,
    output: recoveredSchema,
    status: 202,
    run: ({ ctx, params, body }) => recoverDeliveries(ctx, params.id ?? '', body),
  }),
});
