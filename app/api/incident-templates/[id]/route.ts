import {
  deleteIncidentTemplate,
  updateIncidentTemplate,
} from '@/lib/domain/incidents/templates/change-templates';
import { getIncidentTemplate } from '@/lib/domain/incidents/templates/read-templates';
import {
  incidentTemplateSchema,
  updateIncidentTemplateSchema,
} from '@/lib/schemas/incidents/incident-template';
import { messageSchema } from '@/lib/schemas/monitor';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: operation({
    operationId: 'getIncidentTemplate',
    summary: 'Retrieve an incident template',
    scope: 'read',
    output: incidentTemplateSchema,
    run: ({ ctx, params }) => getIncidentTemplate(ctx, params.id ?? ''),
  }),
  PUT: operation({
    operationId: 'updateIncidentTemplate',
    summary: 'Update an incident template',
    scope: 'write',
    errors: ['UNKNOWN_MONITOR'],
    body: updateIncidentTemplateSchema,
    output: incidentTemplateSchema,
    run: ({ ctx, params, body }) => updateIncidentTemplate(ctx, params.id ?? '', body),
  }),
  DELETE: operation({
    operationId: 'deleteIncidentTemplate',
    summary: 'Delete an incident template',
    scope: 'write',
    output: messageSchema,
    run: ({ ctx, params }) => deleteIncidentTemplate(ctx, params.id ?? ''),
  }),
});
