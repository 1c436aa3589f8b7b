import { createMaintenance } from '@/lib/domain/maintenance/create-maintenance';
import { listMaintenance } from '@/lib/domain/maintenance/read-maintenance';
import {
  createMaintenanceSchema,
  maintenanceQuerySchema,
  maintenanceSchema,
} from '@/lib/schemas/maintenance';
import { listOperation, operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: listOperation({
    summary: 'List the maintenance windows',
    scope: 'read',
    query: maintenanceQuerySchema,
    item: maintenanceSchema,
    run: ({ ctx, query }) => listMaintenance(ctx, query),
  }),
  POST: operation({
    summary: 'Plan a maintenance window',
    description:
      'Within it checks go on, but nothing is told, no incident opens, and no time counts in the uptime. One that has ' +
      'started already begins within a second. What is down when it ends is told then. An `rrule` goes by the clocks of ' +
      '`timeZone`: a time that they skip moves past the change, of one that comes twice the first is meant.',
    scope: 'write',
    body: createMaintenanceSchema,
    output: maintenanceSchema,
    status: 201,
    run: ({ ctx, body }) => createMaintenance(ctx, body),
  }),
});
