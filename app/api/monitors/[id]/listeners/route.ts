import { readListeners } from '@/lib/domain/listeners/read-listeners';
import { listenersQuerySchema, listenersSchema } from '@/lib/schemas/webhooks/listeners';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: operation({
    operationId: 'getMonitorListeners',
    summary: 'Preview who is notified of something that happens to a monitor',
    scope: 'read',
    query: listenersQuerySchema,
    output: listenersSchema,
    run: ({ ctx, params, query }) => readListeners(ctx, params.id ?? '', query),
  }),
});
