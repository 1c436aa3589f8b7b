import { z } from 'zod';
import {
  createIncidentTemplate,
  deleteIncidentTemplate,
  updateIncidentTemplate,
} from '@/lib/domain/incidents/templates/change-templates';
import { getIncidentTemplate, listIncidentTemplates } from '@/lib/domain/incidents/templates/read-templates';
import {
  createIncidentTemplateSchema,
  incidentTemplateSchema,
  updateIncidentTemplateSchema,
} from '@/lib/schemas/incidents/incident-template';
import { messageSchema } from '@/lib/schemas/monitor';
import { operation } from '@/lib/web/http/operation';
import { resource } from '@/lib/web/http/route';

export const incidentTemplates = resource({
  '/incident-templates': {
    GET: operation({
      operationId: 'listIncidentTemplates',
      summary: 'List incident templates',
      description: 'By name, at most 100.',
      scope: 'read',
      output: z.array(incidentTemplateSchema),
      run: ({ ctx }) => listIncidentTemplates(ctx),
    }),
    POST: operation({
      operationId: 'createIncidentTemplate',
      summary: 'Create an incident template',
      description:
        'The dashboard fills in the forms of incidents and updates from it. An organization can have 100.',
      scope: 'write',
      errors: ['UNKNOWN_MONITOR'],
      body: createIncidentTemplateSchema,
      output: incidentTemplateSchema,
      created: ({ id }) => `/incident-templates/${id}`,
      run: ({ ctx, body }) => createIncidentTemplate(ctx, body),
    }),
  },
  '/incident-templates/{id}': {
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
  },
});
