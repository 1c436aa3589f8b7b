import { listSubscribers } from '@/lib/domain/subscribers/read-subscribers';
import { subscriberSchema, subscribersQuerySchema } from '@/lib/schemas/status-pages/subscriber';
import { listOperation } from '@/lib/web/http/operations/list-operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: listOperation({
    operationId: 'listSubscribers',
    summary: 'List subscribers of a status page',
    description:
      'Newest first. `X-Total-Count` contains the total number. Requires the scope `write`, because it contains addresses.',
    scope: 'write',
    query: subscribersQuerySchema,
    item: subscriberSchema,
    run: ({ ctx, params, query }) => listSubscribers(ctx, params.slug ?? '', query),
  }),
});
