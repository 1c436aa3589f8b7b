import {
  deleteMaintenance,
  endActiveMaintenance,
  updateMaintenance,
} from '@/lib/domain/maintenance/change-maintenance';
import { createMaintenance } from '@/lib/domain/maintenance/create-maintenance';
import { getMaintenance, listMaintenance } from '@/lib/domain/maintenance/read-maintenance';
import {
  createMaintenanceSchema,
  maintenanceQuerySchema,
  maintenanceSchema,
  updateMaintenanceSchema,
} from '@/lib/schemas/maintenance';
import { messageSchema } from '@/lib/schemas/monitor';
import { operation } from '@/lib/web/http/operation';
import { listOperation } from '@/lib/web/http/operations/list-operation';
import { resource } from '@/lib/web/http/route';

export const maintenance = resource({
  '/maintenance': {
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
  },
  '/maintenance/{id}': {
    GET: operation({
      operationId: 'getMaintenance',
      summary: 'Retrieve a maintenance window',
      scope: 'read',
      output: maintenanceSchema,
      run: ({ ctx, params }) => getMaintenance(ctx, params.id ?? ''),
    }),
    PUT: operation({
      operationId: 'updateMaintenance',
      summary: 'Update a maintenance window',
      description:
        'An active window ends immediately if its new times exclude the present; an inactive one starts if they include it. A window ' +
        'that was entered afterwards corrects its new time instead, which must be over.',
      scope: 'write',
      errors: ['UNKNOWN_MONITOR'],
      body: updateMaintenanceSchema,
      output: maintenanceSchema,
      run: ({ ctx, params, body }) => updateMaintenance(ctx, params.id ?? '', body),
    }),
    DELETE: operation({
      operationId: 'deleteMaintenance',
      summary: 'Delete a maintenance window',
      description:
        'An active window ends immediately. Its past occurrences are deleted too, including on status pages. The time of one that was ' +
        'entered afterwards counts as measured again.',
      scope: 'write',
      output: messageSchema,
      run: ({ ctx, params }) => deleteMaintenance(ctx, params.id ?? ''),
    }),
  },
  '/maintenance/{id}/end': {
    POST: operation({
      operationId: 'endMaintenance',
      summary: 'End a maintenance window now',
      description:
        'Ends the current occurrence. A repeating window stays scheduled. Returns 409 if it is not active.',
      scope: 'write',
      output: maintenanceSchema,
      run: ({ ctx, params }) => endActiveMaintenance(ctx, params.id ?? ''),
    }),
  },
});
