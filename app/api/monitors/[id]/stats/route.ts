import { readStats } from '@/lib/domain/monitors/read-overview';
import { statsQuerySchema, statsSchema } from '@/lib/schemas/monitor/stats';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: operation({
    operationId: 'getMonitorStats',
    summary: 'Retrieve uptime and response times of a monitor',
    scope: 'read',
    query: statsQuerySchema,
    output: statsSchema,
    run: ({ ctx, params, query }) => readStats(ctx, params.id ?? '', query),
  }),
});
