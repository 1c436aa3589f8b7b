import { endActiveMaintenance } from '@/lib/domain/maintenance/change-maintenance';
import { maintenanceSchema } from '@/lib/schemas/maintenance';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: operation({
    operationId: 'endMaintenance',
    summary: 'End a maintenance window now',
    description:
      'Ends the current occurrence. A repeating window stays scheduled. Returns 409 if it is not active.',
    scope: 'write',
    output: maintenanceSchema,
    run: ({ ctx, params }) => endActiveMaintenance(ctx, params.id ?? ''),
  }),
});
