import { operation } from '@/lib/http/operation';
import { route } from '@/lib/http/route';
import { addIncidentUpdate } from '@/lib/incidents/update-incident';
import { createIncidentUpdateSchema, incidentSchema } from '@/lib/schemas/incident';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: operation({
    summary: 'Add an update to an incident',
    scope: 'write',
    body: createIncidentUpdateSchema,
    output: incidentSchema,
    status: 201,
    run: ({ ctx, params, body }) => addIncidentUpdate(ctx, params.id ?? '', body),
  }),
});
