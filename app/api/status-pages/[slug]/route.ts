import { deleteStatusPage, updateStatusPage } from '@/lib/domain/status-pages/change-status-page';
import { readDomainSettings } from '@/lib/domain/status-pages/page-row';
import { getStatusPage } from '@/lib/domain/status-pages/read-status-pages';
import { getEnvironment } from '@/lib/env';
import { messageSchema } from '@/lib/schemas/monitor';
import { statusPageSchema, updateStatusPageSchema } from '@/lib/schemas/status-pages/status-page';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: operation({
    summary: 'Retrieve a status page',
    scope: 'read',
    output: statusPageSchema,
    run: ({ ctx, params }) => getStatusPage(ctx, params.slug ?? '', readDomainSettings(getEnvironment())),
  }),
  PUT: operation({
    summary: 'Update a status page',
    scope: 'write',
    errors: ['UNKNOWN_MONITOR', 'SLUG_TAKEN', 'DOMAIN_TAKEN', 'PLAN_LIMIT_EXCEEDED'],
    body: updateStatusPageSchema,
    output: statusPageSchema,
    run: ({ ctx, params, body }) =>
      updateStatusPage(ctx, params.slug ?? '', body, readDomainSettings(getEnvironment())),
  }),
  DELETE: operation({
    summary: 'Delete a status page',
    scope: 'write',
    output: messageSchema,
    run: ({ ctx, params }) => deleteStatusPage(ctx, params.slug ?? ''),
  }),
});
