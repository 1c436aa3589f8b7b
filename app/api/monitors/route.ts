import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { listMonitorsInParts } from '@/lib/domain/monitors/lists/list-monitors';
import { createMonitorSchema, monitorSchema } from '@/lib/schemas/monitor';
import { writeMonitor } from '@/lib/schemas/monitor/monitor-parts';
import { listMonitorsQuery } from '@/lib/schemas/monitor/monitor-query';
import { operation } from '@/lib/web/http/operation';
import { listOperation } from '@/lib/web/http/operations/list-operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: listOperation({
    operationId: 'listMonitors',
    summary: 'List monitors',
    description: 'Newest first by default, and complete unless you set `limit`.',
    scope: 'read',
    query: listMonitorsQuery,
    item: monitorSchema,
    isShared: true,
    write: writeMonitor,
    run: ({ ctx, query }) => listMonitorsInParts(ctx, query),
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
