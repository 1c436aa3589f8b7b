import { deleteMonitorByRef } from '@/lib/domain/monitors/change-selected';
import { getMonitorByRef } from '@/lib/domain/monitors/find-monitor';
import { upsertMonitor } from '@/lib/domain/monitors/writes/create-monitors';
import { parseRef } from '@/lib/schemas/bodies/upsert';
import {
  createMonitorSchema,
  messageSchema,
  monitorSchema,
  updateMonitorSchema,
} from '@/lib/schemas/monitor';
import { operation } from '@/lib/web/http/operation';
import { upsertOperation } from '@/lib/web/http/operations/upsert-operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: operation({
    operationId: 'getMonitorByRef',
    summary: 'Retrieve a monitor by its ref',
    scope: 'read',
    output: monitorSchema,
    run: ({ ctx, params }) => getMonitorByRef(ctx, params.ref ?? ''),
  }),
  PUT: upsertOperation({
    operationId: 'upsertMonitor',
    summary: 'Create or update a monitor by its ref',
    description:
      'Creates the monitor (201) if you have none with this `ref`; then `name` and `url` are required, and the defaults of POST apply. Otherwise updates it (200) as PUT by ID does. A `ref` in the body must be that of the path.',
    errors: ['UNKNOWN_MONITOR', 'UNKNOWN_REGION', 'BLOCKED_TARGET', 'PLAN_LIMIT_EXCEEDED', 'REF_TAKEN'],
    body: { creation: createMonitorSchema, changes: updateMonitorSchema },
    field: ({ ref = '' }) => ({ name: 'ref', value: parseRef(ref) }),
    output: monitorSchema,
    createdOutput: monitorSchema,
    created: ({ id }) => `/monitors/${id}`,
    run: ({ ctx, params, body }) => upsertMonitor(ctx, params.ref ?? '', body),
  }),
  DELETE: operation({
    operationId: 'deleteMonitorByRef',
    summary: 'Delete a monitor by its ref',
    scope: 'write',
    output: messageSchema,
    run: ({ ctx, params }) => deleteMonitorByRef(ctx, params.ref ?? ''),
  }),
});
