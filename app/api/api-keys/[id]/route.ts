import { revokeApiKey, updateApiKey } from '@/lib/domain/api-keys/change-api-keys';
import { getApiKey } from '@/lib/domain/api-keys/read-api-keys';
import { apiKeySchema, updateApiKeySchema } from '@/lib/schemas/api-key';
import { messageSchema } from '@/lib/schemas/monitor';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: operation({
    operationId: 'getApiKey',
    summary: 'Retrieve an API key',
    scope: 'read',
    output: apiKeySchema,
    run: ({ ctx, params }) => getApiKey(ctx, params.id ?? ''),
  }),
  PUT: operation({
    operationId: 'updateApiKey',
    summary: 'Rename an API key',
    scope: 'write',
    body: updateApiKeySchema,
    output: apiKeySchema,
    run: ({ ctx, params, body }) => updateApiKey(ctx, params.id ?? '', body),
  }),
  DELETE: operation({
    operationId: 'revokeApiKey',
    summary: 'Revoke an API key',
    scope: 'write',
    output: messageSchema,
    run: ({ ctx, params }) => revokeApiKey(ctx, params.id ?? ''),
  }),
});
