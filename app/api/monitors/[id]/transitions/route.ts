import { listTransitions } from '@/lib/domain/monitors/history/ledger';
import { transitionSchema, transitionsQuerySchema } from '@/lib/schemas/monitor/transition';
import { listOperation } from '@/lib/web/http/operations/list-operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: listOperation({
    operationId: 'listMonitorTransitions',
    summary: 'List status changes of a monitor with their reasons',
    scope: 'read',
    query: transitionsQuerySchema,
    item: transitionSchema,
    run: ({ ctx, params, query }) => listTransitions(ctx, params.id ?? '', query),
  }),
});
