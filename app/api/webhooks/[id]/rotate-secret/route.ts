import { operation } from '@/lib/http/operation';
import { route } from '@/lib/http/route';
import { newWebhookSchema, rotateSecretSchema } from '@/lib/schemas/webhook';
import { rotateSecret } from '@/lib/webhooks/rotate-secret';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: operation({
    summary: 'Rotate the signing secret; the answer shows the new one, this once',
    scope: 'write',
    bodyIsOptional: true,
    body: rotateSecretSchema,
    output: newWebhookSchema,
    run: ({ ctx, params, body }) => rotateSecret(ctx, params.id ?? '', body),
  }),
});
