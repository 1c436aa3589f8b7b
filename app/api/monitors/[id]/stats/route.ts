import { operation } from '@/lib/http/operation';
import { route } from '@/lib/http/route';
import { readStats } from '@/lib/monitors/read-stats';
import { statsQuerySchema, statsSchema } from '@/lib/schemas/stats';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: operation({
    summary: 'Uptime and response times over a window',
    scope: 'read',
    query: statsQuerySchema,
    output: statsSchema,
    run: ({ ctx, params, query }) => readStats(ctx, params.id ?? '', query),
  }),
});
