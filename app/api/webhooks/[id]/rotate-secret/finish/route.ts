import { finishRotation } from '@/lib/domain/webhooks/change-webhook';
import { webhookSchema } from '@/lib/schemas/webhooks/webhook';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: operation({
    operationId: 'finishSecretRotation',
    summary: 'Finish rotating a signing secret',
    description: 'The old secret stops signing immediately.',
    scope: 'write',
    output: webhookSchema,
    run: ({ ctx, params }) => finishRotation(ctx, params.id ?? ''),
  }),
});
