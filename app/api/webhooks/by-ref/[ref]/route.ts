import { deleteWebhookByRef, getWebhookByRef, upsertWebhook } from '@/lib/domain/webhooks/upsert-webhook';
import { parseRef } from '@/lib/schemas/bodies/upsert';
import { messageSchema } from '@/lib/schemas/monitor';
import {
  createWebhookSchema,
  newWebhookSchema,
  updateWebhookSchema,
  webhookSchema,
} from '@/lib/schemas/webhooks/webhook';
import { operation } from '@/lib/web/http/operation';
import { upsertOperation } from '@/lib/web/http/operations/upsert-operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: operation({
    operationId: 'getWebhookByRef',
    summary: 'Retrieve a webhook endpoint by its ref',
    scope: 'read',
    output: webhookSchema,
    run: ({ ctx, params }) => getWebhookByRef(ctx, params.ref ?? ''),
  }),
  PUT: upsertOperation({
    operationId: 'upsertWebhook',
    summary: 'Create or update a webhook endpoint by its ref',
    description:
      'Creates the endpoint (201) if you have none with this `ref`; then `url` is required, the defaults of POST apply, and the signing secret is returned only once. Otherwise updates it (200) as PUT by ID does. A `ref` in the body must be that of the path.',
    errors: ['BLOCKED_TARGET', 'PLAN_LIMIT_EXCEEDED', 'REF_TAKEN', 'UNKNOWN_MONITOR'],
    body: { creation: createWebhookSchema, changes: updateWebhookSchema },
    field: ({ ref = '' }) => ({ name: 'ref', value: parseRef(ref) }),
    output: webhookSchema,
    createdOutput: newWebhookSchema,
    created: ({ id }) => `/webhooks/${id}`,
    run: ({ ctx, params, body }) => upsertWebhook(ctx, params.ref ?? '', body),
  }),
  DELETE: operation({
    operationId: 'deleteWebhookByRef',
    summary: 'Delete a webhook endpoint by its ref',
    scope: 'write',
    output: messageSchema,
    run: ({ ctx, params }) => deleteWebhookByRef(ctx, params.ref ?? ''),
  }),
});
