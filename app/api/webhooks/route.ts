import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { listWebhooks } from '@/lib/domain/webhooks/read-webhooks';
import { searchAndPage, timedListQuery } from '@/lib/schemas/query';
import { createWebhookSchema, newWebhookSchema, webhookSchema } from '@/lib/schemas/webhooks/webhook';
import { operation } from '@/lib/web/http/operation';
import { listOperation } from '@/lib/web/http/operations/list-operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: listOperation({
    operationId: 'listWebhooks',
    summary: 'List webhook endpoints',
    scope: 'read',
    query: timedListQuery,
    item: webhookSchema,
    run: async ({ ctx, query }) =>
      searchAndPage(await listWebhooks(ctx), query, ({ url, description }) => [url, description]),
  }),
  POST: operation({
    operationId: 'createWebhook',
    summary: 'Create a webhook endpoint',
    description: 'The signing secret is returned only once.',
    scope: 'write',
    errors: ['BLOCKED_TARGET', 'PLAN_LIMIT_EXCEEDED', 'REF_TAKEN', 'UNKNOWN_MONITOR'],
    body: createWebhookSchema,
    output: newWebhookSchema,
    created: ({ id }) => `/webhooks/${id}`,
    run: ({ ctx, body }) => createWebhook(ctx, body),
  }),
});
