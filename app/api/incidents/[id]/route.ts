import { deleteIncident, updateIncident } from '@/lib/domain/incidents/change-incident';
import { getIncident } from '@/lib/domain/incidents/read-incidents';
import { incidentSchema, updateIncidentSchema } from '@/lib/schemas/incidents/incident';
import { messageSchema } from '@/lib/schemas/monitor';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: operation({
    operationId: 'getIncident',
    summary: 'Retrieve an incident',
    scope: 'read',
    output: incidentSchema,
    isVersioned: true,
    run: ({ ctx, params }) => getIncident(ctx, params.id ?? ''),
  }),
  PUT: operation({
    operationId: 'updateIncident',
    summary: 'Update an incident',
    scope: 'write',
    errors: ['UNKNOWN_MONITOR'],
    body: updateIncidentSchema,
    output: incidentSchema,
    run: ({ ctx, params, body }) => updateIncident(ctx, params.id ?? '', body),
  }),
  DELETE: operation({
    operationId: 'deleteIncident',
    summary: 'Delete an incident',
    scope: 'write',
    output: messageSchema,
    run: ({ ctx, params }) => deleteIncident(ctx, params.id ?? ''),
  }),
});
