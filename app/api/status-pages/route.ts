import { getEnvironment } from '@/lib/env';
import { listOperation, operation } from '@/lib/http/operation';
import { route } from '@/lib/http/route';
import { createStatusPageSchema, statusPageSchema } from '@/lib/schemas/status-page';
import { namedListQuery, pageAnswers } from '@/lib/schemas/whole-list';
import { createStatusPage } from '@/lib/status-pages/create-status-page';
import { readDomainSettings } from '@/lib/status-pages/domain-settings';
import { listStatusPages } from '@/lib/status-pages/read-status-pages';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: listOperation({
    summary: 'List all status pages',
    scope: 'read',
    query: namedListQuery,
    item: statusPageSchema,
    run: async ({ ctx, query }) =>
      pageAnswers(
        await listStatusPages(ctx, readDomainSettings(getEnvironment())),
        query,
        ({ name, slug }) => [name, slug],
      ),
  }),
  POST: operation({
    summary: 'Create a status page',
    scope: 'write',
    body: createStatusPageSchema,
    output: statusPageSchema,
    status: 201,
    run: ({ ctx, body }) => createStatusPage(ctx, body, readDomainSettings(getEnvironment())),
  }),
});
