import { z } from 'zod';
import { issueApiKey } from '@/lib/api-keys/issue-api-key';
import { listApiKeys } from '@/lib/api-keys/read-api-keys';
import { operation } from '@/lib/http/operation';
import { route } from '@/lib/http/route';
import { apiKeySchema, createApiKeySchema, newApiKeySchema } from '@/lib/schemas/api-key';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: operation({
    summary: 'List the API keys',
    scope: 'read',
    output: z.array(apiKeySchema),
    run: ({ ctx }) => listApiKeys(ctx),
  }),
  POST: operation({
    summary: 'Create an API key; the answer shows it, this once',
    scope: 'write',
    body: createApiKeySchema,
    output: newApiKeySchema,
    status: 201,
    run: ({ ctx, body }) => issueApiKey(ctx, body),
  }),
});
