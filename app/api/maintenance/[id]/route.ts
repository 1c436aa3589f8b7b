import { deleteMaintenance, updateMaintenance } from '@/lib/domain/maintenance/change-maintenance';
import { getMaintenance } from '@/lib/domain/maintenance/read-maintenance';
import { maintenanceSchema, updateMaintenanceSchema } from '@/lib/schemas/maintenance';
import { messageSchema } from '@/lib/schemas/monitor';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
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
});
