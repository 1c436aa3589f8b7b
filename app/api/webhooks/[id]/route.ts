import { operation } from '@/lib/http/operation';
import { route } from '@/lib/http/route';
import { messageSchema } from '@/lib/schemas/monitor';
import { updateWebhookSchema, webhookSchema } from '@/lib/schemas/webhook';
import { deleteWebhook } from '@/lib/webhooks/delete-webhook';
import { getWebhook } from '@/lib/webhooks/read-webhooks';
import { updateWebhook } from '@/lib/webhooks/update-webhook';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: operation({
    summary: 'Retrieve one webhook endpoint',
    scope: 'read',
    output: webhookSchema,
    run: ({ ctx, params }) => getWebhook(ctx, params.id ?? ''),
  }),
  PUT: operation({
    summary: 'Update a webhook endpoint',
    scope: 'write',
    body: updateWebhookSchema,
    output: webhookSchema,
    run: ({ ctx, params, body }) => updateWebhook(ctx, params.id ?? '', body),
  }),
  DELETE: operation({
    summary: 'Delete a webhook endpoint',
    scope: 'write',
    output: messageSchema,
    run: ({ ctx, params }) => deleteWebhook(ctx, params.id ?? ''),
  }),
});
