import { deleteMonitor } from '@/lib/domain/monitors/change-selected';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { messageSchema, monitorSchema, updateMonitorSchema } from '@/lib/schemas/monitor';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: operation({
    operationId: 'getMonitor',
    summary: 'Retrieve a monitor',
    scope: 'read',
    output: monitorSchema,
    run: ({ ctx, params }) => getMonitor(ctx, params.id ?? ''),
  }),
  PUT: operation({
    operationId: 'updateMonitor',
    summary: 'Update a monitor',
    scope: 'write',
    errors: ['UNKNOWN_MONITOR', 'UNKNOWN_REGION', 'BLOCKED_TARGET', 'PLAN_LIMIT_EXCEEDED', 'REF_TAKEN'],
    body: updateMonitorSchema,
    output: monitorSchema,
    run: ({ ctx, params, body }) => updateMonitor(ctx, params.id ?? '', body),
  }),
  DELETE: operation({
    operationId: 'deleteMonitor',
    summary: 'Delete a monitor',
    scope: 'write',
    output: messageSchema,
    run: ({ ctx, params }) => deleteMonitor(ctx, params.id ?? ''),
  }),
});
