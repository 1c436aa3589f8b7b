import { recoverDeliveries } from '@/lib/domain/webhooks/resend-deliveries';
import { recoveredSchema, recoverSchema } from '@/lib/schemas/delivery';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

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
