import { createPageToken, listPageTokens } from '@/lib/domain/status-pages/access/page-tokens';
import { namedListQuery, searchAndPage } from '@/lib/schemas/query';
import {
  createPageTokenSchema,
  newPageTokenSchema,
  pageTokenSchema,
} from '@/lib/schemas/status-pages/page-token';
import { operation } from '@/lib/web/http/operation';
import { listOperation } from '@/lib/web/http/operations/list-operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: listOperation({
    operationId: 'listPageTokens',
    summary: 'List the tokens of a status page',
    scope: 'read',
    query: namedListQuery,
    item: pageTokenSchema,
    run: async ({ ctx, params, query }) =>
      searchAndPage(await listPageTokens(ctx, params.slug ?? ''), query, ({ name, hint }) => [name, hint]),
  }),
  POST: operation({
    operationId: 'createPageToken',
    summary: 'Create a token for a status page',
    description:
      'Programs with it can read the feeds, calendar, JSON, badge and embed of the page while it is private. It is returned only once. At most 20 per page.',
    scope: 'write',
    body: createPageTokenSchema,
    output: newPageTokenSchema,
    run: ({ ctx, params, body }) => createPageToken(ctx, params.slug ?? '', body),
    status: 201,
  }),
});
