import { createMaintenance } from '@/lib/domain/maintenance/create-maintenance';
import { listMaintenance } from '@/lib/domain/maintenance/read-maintenance';
import {
  createMaintenanceSchema,
  maintenanceQuerySchema,
  maintenanceSchema,
} from '@/lib/schemas/maintenance';
import { operation } from '@/lib/web/http/operation';
import { listOperation } from '@/lib/web/http/operations/list-operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: listOperation({
    operationId: 'listMaintenance',
    summary: 'List maintenance windows',
    scope: 'read',
    query: maintenanceQuerySchema,
    item: maintenanceSchema,
    run: ({ ctx, query }) => listMaintenance(ctx, query),
  }),
  POST: operation({
    operationId: 'createMaintenance',
    summary: 'Create a maintenance window',
    description:
      'During maintenance, checks continue, but no notifications are sent, no incidents are opened, and the time does not ' +
      'count toward uptime. If the start is in the past, the window begins within a second. Monitors that are down when it ' +
      'ends alert then. A window that is over and does not recur is entered afterwards: its time counts as maintenance by a ' +
      'correction of each monitor, nobody is notified, and it must be within the last 400 days and the ledgers of its monitors, without ' +
      'overlapping other corrections. An `rrule` uses local time in `timeZone`: a time skipped by a clock change moves to after the ' +
      'change; of a repeated time, the first applies.',
    scope: 'write',
    errors: ['UNKNOWN_MONITOR'],
    body: createMaintenanceSchema,
    output: maintenanceSchema,
    created: ({ id }) => `/maintenance/${id}`,
    run: ({ ctx, body }) => createMaintenance(ctx, body),
  }),
});
