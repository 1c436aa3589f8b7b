import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { listMonitors } from '@/lib/domain/monitors/lists/list-monitors';
import { createMonitorSchema, monitorSchema } from '@/lib/schemas/monitor';
import { listMonitorsQuery } from '@/lib/schemas/monitor/monitor-query';
import { listOperation, operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: listOperation({
    operationId: 'listMonitors',
    summary: 'List monitors',
    description: 'Newest first by default, and complete unless you set `limit`.',
    scope: 'read',
    query: listMonitorsQuery,
    item: monitorSchema,
    run: ({ ctx, query }) => listMonitors(ctx, query),
  }),
  POST: operation({
    operationId: 'createMonitor',
    summary: 'Create a monitor',
    scope: 'write',
    errors: ['UNKNOWN_MONITOR', 'UNKNOWN_REGION', 'BLOCKED_TARGET', 'PLAN_LIMIT_EXCEEDED', 'REF_TAKEN'],
    body: createMonitorSchema,
    output: monitorSchema,
    created: ({ id }) => `/monitors/${id}`,
    run: ({ ctx, body }) => createMonitor(ctx, body),
  }),
});
