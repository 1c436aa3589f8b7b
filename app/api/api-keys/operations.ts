import { issueApiKey, revokeApiKey, rotateApiKey, updateApiKey } from '@/lib/domain/api-keys/change-api-keys';
import { getApiKey, listApiKeys } from '@/lib/domain/api-keys/read-api-keys';
import {
  apiKeySchema,
  createApiKeySchema,
  newApiKeySchema,
  rotateApiKeySchema,
  updateApiKeySchema,
} from '@/lib/schemas/api-key';
import { messageSchema } from '@/lib/schemas/monitor';
import { namedListQuery, searchAndPage } from '@/lib/schemas/query';
import { operation } from '@/lib/web/http/operation';
import { listOperation } from '@/lib/web/http/operations/list-operation';
import { resource } from '@/lib/web/http/route';

export const apiKeys = resource({
  '/api-keys': {
    GET: listOperation({
      operationId: 'listApiKeys',
      summary: 'List API keys',
      scope: 'read',
      query: namedListQuery,
      item: apiKeySchema,
      run: async ({ ctx, query }) =>
        searchAndPage(await listApiKeys(ctx), query, ({ name, hint }) => [name, hint]),
    }),
    POST: operation({
      operationId: 'createApiKey',
      summary: 'Create an API key',
      description: 'The key is returned only once.',
      scope: 'write',
      body: createApiKeySchema,
      output: newApiKeySchema,
      created: ({ id }) => `/api-keys/${id}`,
      run: ({ ctx, body }) => issueApiKey(ctx, body),
    }),
  },
  '/api-keys/{id}': {
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
  },
  '/api-keys/{id}/rotate': {
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
  },
});
