import { listOperation } from '@/lib/http/operation';
import { route } from '@/lib/http/route';
import { subscriberSchema, subscribersQuerySchema } from '@/lib/schemas/subscriber';
import { listSubscribers } from '@/lib/subscribers/read-subscribers';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: listOperation({
    summary: 'List who gets e-mail about a status page',
    description: 'Newest first. `X-Total-Count` says how many there are in all.',
    scope: 'read',
    query: subscribersQuerySchema,
    item: subscriberSchema,
    run: ({ ctx, params, query }) => listSubscribers(ctx, params.slug ?? '', query),
  }),
});
