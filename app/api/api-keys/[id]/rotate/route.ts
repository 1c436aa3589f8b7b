import { rotateApiKey } from '@/lib/domain/api-keys/change-api-keys';
import { newApiKeySchema, rotateApiKeySchema } from '@/lib/schemas/api-key';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: operation({
    operationId: 'rotateApiKey',
    summary: 'Rotate an API key',
    description:
      'Creates a successor, whose key is returned only once. The old key keeps working during the overlap.',
    scope: 'write',
    bodyIsOptional: true,
    body: rotateApiKeySchema,
    output: newApiKeySchema,
    created: ({ id }) => `/api-keys/${id}`,
    run: ({ ctx, params, body }) => rotateApiKey(ctx, params.id ?? '', body),
  }),
});
