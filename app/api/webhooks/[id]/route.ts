import { deleteWebhook, updateWebhook } from '@/lib/domain/webhooks/change-webhook';
import { getWebhook } from '@/lib/domain/webhooks/read-webhooks';
import { messageSchema } from '@/lib/schemas/monitor';
import { updateWebhookSchema, webhookSchema } from '@/lib/schemas/webhooks/webhook';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: operation({
    operationId: 'getWebhook',
    summary: 'Retrieve a webhook endpoint',
    scope: 'read',
    output: webhookSchema,
    run: ({ ctx, params }) => getWebhook(ctx, params.id ?? ''),
  }),
  PUT: operation({
    operationId: 'updateWebhook',
    summary: 'Update a webhook endpoint',
    scope: 'write',
    errors: ['BLOCKED_TARGET', 'REF_TAKEN', 'UNKNOWN_MONITOR'],
    body: updateWebhookSchema,
    output: webhookSchema,
    run: ({ ctx, params, body }) => updateWebhook(ctx, params.id ?? '', body),
  }),
  DELETE: operation({
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook endpoint',
    scope: 'write',
    output: messageSchema,
    run: ({ ctx, params }) => deleteWebhook(ctx, params.id ?? ''),
  }),
});
