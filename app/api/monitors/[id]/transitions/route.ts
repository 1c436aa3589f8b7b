import { listOperation } from '@/lib/http/operation';
import { route } from '@/lib/http/route';
import { listTransitions } from '@/lib/monitors/list-transitions';
import { transitionSchema, transitionsQuerySchema } from '@/lib/schemas/transition';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: listOperation({
    summary: 'List the changes of status, each with why',
    scope: 'read',
    query: transitionsQuerySchema,
    item: transitionSchema,
    run: ({ ctx, params, query }) => listTransitions(ctx, params.id ?? '', query),
  }),
});
