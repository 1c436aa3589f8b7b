import { issueApiKey } from '@/lib/domain/api-keys/change-api-keys';
import { listApiKeys } from '@/lib/domain/api-keys/read-api-keys';
import { apiKeySchema, createApiKeySchema, newApiKeySchema } from '@/lib/schemas/api-key';
import { namedListQuery, searchAndPage } from '@/lib/schemas/query';
import { operation } from '@/lib/web/http/operation';
import { listOperation } from '@/lib/web/http/operations/list-operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
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
});
