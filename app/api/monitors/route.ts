import { listOperation, operation } from '@/lib/http/operation';
import { route } from '@/lib/http/route';
import { createMonitor } from '@/lib/monitors/create-monitor';
import { listMonitors } from '@/lib/monitors/list-monitors';
import { createMonitorSchema, monitorSchema } from '@/lib/schemas/monitor';
import { listMonitorsQuery } from '@/lib/schemas/monitor-query';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: listOperation({
    summary: 'List all monitors of the organization',
    description: 'Newest first unless sorted; everything unless limited.',
    scope: 'read',
    query: listMonitorsQuery,
    item: monitorSchema,
    run: ({ ctx, query }) => listMonitors(ctx, query),
  }),
  POST: operation({
    summary: 'Create a monitor',
    scope: 'write',
    body: createMonitorSchema,
    output: monitorSchema,
    status: 201,
    run: ({ ctx, body }) => createMonitor(ctx, body),
  }),
});
