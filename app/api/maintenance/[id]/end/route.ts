import { endActiveMaintenance } from '@/lib/domain/maintenance/change-maintenance';
import { maintenanceSchema } from '@/lib/schemas/maintenance';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: operation({
    summary: 'End a maintenance window now',
    description: 'One that repeats comes again. 409 where it is not active.',
    scope: 'write',
    output: maintenanceSchema,
    run: ({ ctx, params }) => endActiveMaintenance(ctx, params.id ?? ''),
  }),
});
