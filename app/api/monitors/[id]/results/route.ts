import { listOperation } from '@/lib/http/operation';
import { route } from '@/lib/http/route';
import { listResults } from '@/lib/monitors/list-results';
import { checkResultSchema, resultsQuerySchema } from '@/lib/schemas/result';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: listOperation({
    summary: 'List the latest raw results of a monitor',
    scope: 'read',
    query: resultsQuerySchema,
    item: checkResultSchema,
    run: ({ ctx, params, query }) => listResults(ctx, params.id ?? '', query),
  }),
});
