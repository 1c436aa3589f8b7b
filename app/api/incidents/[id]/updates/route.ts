import { addIncidentUpdate } from '@/lib/domain/incidents/schedule/schedule-update';
import { createIncidentUpdateSchema, incidentSchema } from '@/lib/schemas/incidents/incident';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: operation({
    operationId: 'addIncidentUpdate',
    summary: 'Add an update to an incident',
    scope: 'write',
    body: createIncidentUpdateSchema,
    output: incidentSchema,
    created: ({ id }) => `/incidents/${id}`,
    run: ({ ctx, params, body }) => addIncidentUpdate(ctx, params.id ?? '', body),
  }),
});
