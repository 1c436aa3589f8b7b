import { deleteMaintenance, updateMaintenance } from '@/lib/domain/maintenance/change-maintenance';
import { getMaintenance } from '@/lib/domain/maintenance/read-maintenance';
import { maintenanceSchema, updateMaintenanceSchema } from '@/lib/schemas/maintenance';
import { messageSchema } from '@/lib/schemas/monitor';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: operation({
    summary: 'Retrieve one maintenance window',
    scope: 'read',
    output: maintenanceSchema,
    run: ({ ctx, params }) => getMaintenance(ctx, params.id ?? ''),
  }),
  PUT: operation({
    summary: 'Update a maintenance window',
    description: 'One that goes on and has no place in its new times ends at once, and the other way round.',
    scope: 'write',
    body: updateMaintenanceSchema,
    output: maintenanceSchema,
    run: ({ ctx, params, body }) => updateMaintenance(ctx, params.id ?? '', body),
  }),
  DELETE: operation({
    summary: 'Delete a maintenance window',
    description: 'One that goes on ends at once. Its past goes with it, from status pages too.',
    scope: 'write',
    output: messageSchema,
    run: ({ ctx, params }) => deleteMaintenance(ctx, params.id ?? ''),
  }),
});
