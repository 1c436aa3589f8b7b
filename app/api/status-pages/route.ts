import { createStatusPage } from '@/lib/domain/status-pages/change-status-page';
import { readPageSettings } from '@/lib/domain/status-pages/page-row';
import { listStatusPages } from '@/lib/domain/status-pages/read-status-pages';
import { getEnvironment } from '@/lib/env';
import { namedListQuery, searchAndPage } from '@/lib/schemas/query';
import {
  createStatusPageSchema,
  documentedStatusPageSchema,
  statusPageSchema,
} from '@/lib/schemas/status-pages/status-page';
import { operation } from '@/lib/web/http/operation';
import { listOperation } from '@/lib/web/http/operations/list-operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: listOperation({
    operationId: 'listStatusPages',
    summary: 'List status pages',
    scope: 'read',
    query: namedListQuery,
    item: statusPageSchema,
    run: async ({ ctx, query }) =>
      searchAndPage(
        await listStatusPages(ctx, readPageSettings(getEnvironment())),
        query,
        ({ name, slug }) => [name, slug],
      ),
  }),
  POST: operation({
    operationId: 'createStatusPage',
    summary: 'Create a status page',
    scope: 'write',
    errors: ['UNKNOWN_MONITOR', 'SLUG_TAKEN', 'DOMAIN_TAKEN', 'PLAN_LIMIT_EXCEEDED'],
    body: createStatusPageSchema,
    documentedBody: documentedStatusPageSchema,
    output: statusPageSchema,
    created: ({ slug }) => `/status-pages/${slug}`,
    run: ({ ctx, body }) => createStatusPage(ctx, body, readPageSettings(getEnvironment())),
  }),
});
