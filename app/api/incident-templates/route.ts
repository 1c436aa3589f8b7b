import { z } from 'zod';
import { createIncidentTemplate } from '@/lib/domain/incidents/templates/change-templates';
import { listIncidentTemplates } from '@/lib/domain/incidents/templates/read-templates';
import {
  createIncidentTemplateSchema,
  incidentTemplateSchema,
} from '@/lib/schemas/incidents/incident-template';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
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
});
