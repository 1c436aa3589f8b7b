import { operation } from '@/lib/http/operation';
import { route } from '@/lib/http/route';
import { webhookSchema } from '@/lib/schemas/webhook';
import { finishRotation } from '@/lib/webhooks/rotate-secret';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: operation({
    summary: 'Finish a rotation: the old secret signs no more',
    scope: 'write',
    output: webhookSchema,
    run: ({ ctx, params }) => finishRotation(ctx, params.id ?? ''),
  }),
});
