import { createIncident } from '@/lib/domain/incidents/create-incident';
import { listIncidents } from '@/lib/domain/incidents/read-incidents';
import { createIncidentSchema, incidentSchema, incidentsQuerySchema } from '@/lib/schemas/incidents/incident';
import { operation } from '@/lib/web/http/operation';
import { listOperation } from '@/lib/web/http/operations/list-operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: listOperation({
    operationId: 'listIncidents',
    summary: 'List incidents',
    scope: 'read',
    query: incidentsQuerySchema,
    item: incidentSchema,
    run: ({ ctx, query }) => listIncidents(ctx, query),
  }),
  POST: operation({
    operationId: 'createIncident',
    summary: 'Create an incident',
    scope: 'write',
    errors: ['UNKNOWN_MONITOR'],
    body: createIncidentSchema,
    output: incidentSchema,
    created: ({ id }) => `/incidents/${id}`,
    run: ({ ctx, body }) => createIncident(ctx, body),
  }),
});
