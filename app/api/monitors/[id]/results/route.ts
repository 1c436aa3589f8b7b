import { listResults } from '@/lib/domain/monitors/history/read-results';
import { checkResultSchema, resultsQuerySchema } from '@/lib/schemas/monitor/result';
import { listOperation } from '@/lib/web/http/operations/list-operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: listOperation({
    operationId: 'listMonitorResults',
    summary: 'List check results of a monitor',
    scope: 'read',
    query: resultsQuerySchema,
    item: checkResultSchema,
    run: ({ ctx, params, query }) => listResults(ctx, params.id ?? '', query),
  }),
});
