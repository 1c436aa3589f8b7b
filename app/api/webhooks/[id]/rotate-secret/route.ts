import { rotateSecret } from '@/lib/domain/webhooks/change-webhook';
import { newWebhookSchema, rotateSecretSchema } from '@/lib/schemas/webhooks/webhook';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: operation({
    operationId: 'rotateSecret',
    summary: 'Rotate a signing secret',
    description:
      'The new secret is returned only once. For 24 hours, or until the rotation is finished, both secrets sign.',
    scope: 'write',
    bodyIsOptional: true,
    body: rotateSecretSchema,
    output: newWebhookSchema,
    run: ({ ctx, params, body }) => rotateSecret(ctx, params.id ?? '', body),
  }),
});
