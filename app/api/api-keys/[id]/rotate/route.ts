import { rotateApiKey } from '@/lib/api-keys/rotate-api-key';
import { operation } from '@/lib/http/operation';
import { route } from '@/lib/http/route';
import { newApiKeySchema, rotateApiKeySchema } from '@/lib/schemas/api-key';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: operation({
    summary: 'Replace an API key, with overlap',
    scope: 'write',
    bodyIsOptional: true,
    body: rotateApiKeySchema,
    output: newApiKeySchema,
    status: 201,
    run: ({ ctx, params, body }) => rotateApiKey(ctx, params.id ?? '', body),
  }),
});
