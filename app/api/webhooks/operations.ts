import {
  createWebhook,
  deleteWebhook,
  finishRotation,
  rotateSecret,
  updateWebhook,
} from '@/lib/domain/webhooks/change-webhook';
import { listEndpointDeliveries } from '@/lib/domain/webhooks/read-deliveries';
import { getWebhook, listWebhooks } from '@/lib/domain/webhooks/read-webhooks';
import { recoverDeliveries, testWebhook } from '@/lib/domain/webhooks/resend-deliveries';
import { deleteWebhookByRef, getWebhookByRef, upsertWebhook } from '@/lib/domain/webhooks/upsert-webhook';
import { parseRef } from '@/lib/schemas/bodies/upsert';
import { messageSchema } from '@/lib/schemas/monitor';
import { searchAndPage, timedListQuery } from '@/lib/schemas/query';
import {
  deliveryDetailSchema,
  deliverySchema,
  endpointDeliveriesQuerySchema,
  recoveredSchema,
  recoverSchema,
} from '@/lib/schemas/webhooks/delivery';
import {
  createWebhookSchema,
  newWebhookSchema,
  rotateSecretSchema,
  updateWebhookSchema,
  webhookSchema,
} from '@/lib/schemas/webhooks/webhook';
import { operation } from '@/lib/web/http/operation';
import { listOperation } from '@/lib/web/http/operations/list-operation';
import { upsertOperation } from '@/lib/web/http/operations/upsert-operation';
import { resource } from '@/lib/web/http/route';

export const webhooks = resource({
  '/webhooks': {
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
  },
  '/webhooks/by-ref/{ref}': {
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
  },
  '/webhooks/{id}': {
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
  },
  '/webhooks/{id}/deliveries': {
    GET: listOperation({
      operationId: 'listWebhookDeliveries',
      summary: 'List deliveries to a webhook endpoint',
      scope: 'read',
      query: endpointDeliveriesQuerySchema,
      item: deliverySchema,
      run: ({ ctx, params, query }) => listEndpointDeliveries(ctx, params.id ?? '', query),
    }),
  },
  '/webhooks/{id}/recover': {
    POST: operation({
      operationId: 'recoverDeliveries',
      summary: 'Recover failed deliveries',
      description: 'Queues all deliveries that have failed since a given time.',
      scope: 'write',
      errors: ['ENDPOINT_DISABLED'],
      body: recoverSchema,
      output: recoveredSchema,
      status: 202,
      run: ({ ctx, params, body }) => recoverDeliveries(ctx, params.id ?? '', body),
    }),
  },
  '/webhooks/{id}/rotate-secret': {
    POST: operation({
      operationId: 'rotateSecret',
      summary: 'Rotate a signing secret',
      description:
        'The new secret is returned only once. For 24 hours, or until the rotation is finished, both secrets sign.',
      scope: 'write',
      bodyIsOptional: true,
      body: rotateSecretSchema,
      output: newWebhookSchema,
      run: ({ ctx, params, body }) => rotateSecret(ctx, params.id ?? '', body),
    }),
  },
  '/webhooks/{id}/rotate-secret/finish': {
    POST: operation({
      operationId: 'finishSecretRotation',
      summary: 'Finish rotating a signing secret',
      description: 'The old secret stops signing immediately.',
      scope: 'write',
      output: webhookSchema,
      run: ({ ctx, params }) => finishRotation(ctx, params.id ?? ''),
    }),
  },
  /** 202: a worker sends it. GET /deliveries/:id shows the outcome. */
  '/webhooks/{id}/test': {
    POST: operation({
      operationId: 'testWebhook',
      summary: 'Send a test event to a webhook endpoint',
      description: 'Sends the event `webhook.test` with a single attempt.',
      scope: 'write',
      errors: ['ENDPOINT_DISABLED'],
      output: deliveryDetailSchema,
      status: 202,
      run: ({ ctx, params }) => testWebhook(ctx, params.id ?? ''),
    }),
  },
});
