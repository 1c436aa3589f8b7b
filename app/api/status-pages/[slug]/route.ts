import { deleteStatusPage, updateStatusPage } from '@/lib/domain/status-pages/change-status-page';
import { readPageSettings } from '@/lib/domain/status-pages/page-row';
import { getStatusPage } from '@/lib/domain/status-pages/read-status-pages';
import { upsertStatusPage } from '@/lib/domain/status-pages/upsert-status-page';
import { getEnvironment } from '@/lib/env';
import { messageSchema } from '@/lib/schemas/monitor';
import { upsertQuery } from '@/lib/schemas/query';
import {
  createStatusPageSchema,
  statusPageSchema,
  updateStatusPageSchema,
} from '@/lib/schemas/status-pages/status-page';
import { operation } from '@/lib/web/http/operation';
import { upsertOperation } from '@/lib/web/http/operations/upsert-operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: operation({
    operationId: 'getStatusPage',
    summary: 'Retrieve a status page',
    scope: 'read',
    output: statusPageSchema,
    run: ({ ctx, params }) => getStatusPage(ctx, params.slug ?? '', readPageSettings(getEnvironment())),
  }),
  PUT: upsertOperation({
    operationId: 'updateStatusPage',
    summary: 'Update a status page',
    description:
      'With `upsert=true`, creates the page (201) if you have none with this slug; then `name` and `monitors` are required, and the defaults of POST apply.',
    errors: ['UNKNOWN_MONITOR', 'SLUG_TAKEN', 'DOMAIN_TAKEN', 'PLAN_LIMIT_EXCEEDED'],
    query: upsertQuery,
    canCreate: ({ upsert }) => upsert ?? false,
    body: { creation: createStatusPageSchema, changes: updateStatusPageSchema },
    field: ({ slug = '' }) => ({ name: 'slug', value: slug, canChange: true }),
    output: statusPageSchema,
    createdOutput: statusPageSchema,
    created: ({ slug }) => `/status-pages/${slug}`,
    run: async ({ ctx, params: { slug = '' }, query, body }) => {
      const settings = readPageSettings(getEnvironment());
      if (query.upsert) return upsertStatusPage(ctx, slug, body, settings);
      return { isCreated: false, resource: await updateStatusPage(ctx, slug, body.changes(), settings) };
    },
  }),
  DELETE: operation({
    operationId: 'deleteStatusPage',
    summary: 'Delete a status page',
    scope: 'write',
    output: messageSchema,
    run: ({ ctx, params }) => deleteStatusPage(ctx, params.slug ?? ''),
  }),
});
