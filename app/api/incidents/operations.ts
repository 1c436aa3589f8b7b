import {
  acknowledgeIncident,
  unacknowledgeIncident,
} from '@/lib/domain/incidents/acknowledge/acknowledge-incident';
import { deleteIncident, updateIncident } from '@/lib/domain/incidents/change-incident';
import { createIncident } from '@/lib/domain/incidents/create-incident';
import { getIncident, listIncidents } from '@/lib/domain/incidents/read-incidents';
import {
  addIncidentUpdate,
  cancelScheduledUpdate,
  changeScheduledUpdate,
} from '@/lib/domain/incidents/schedule/schedule-update';
import {
  createIncidentSchema,
  createIncidentUpdateSchema,
  incidentSchema,
  incidentsQuerySchema,
  scheduledUpdateChangesSchema,
  updateIncidentSchema,
} from '@/lib/schemas/incidents/incident';
import { messageSchema } from '@/lib/schemas/monitor';
import { operation } from '@/lib/web/http/operation';
import { listOperation } from '@/lib/web/http/operations/list-operation';
import { resource } from '@/lib/web/http/route';

export const incidents = resource({
  '/incidents': {
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
  },
  '/incidents/{id}': {
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
  },
  '/incidents/{id}/acknowledge': {
    POST: operation({
      operationId: 'acknowledgeIncident',
      summary: 'Acknowledge an incident',
      description:
        'Shows others that somebody works on it, in `acknowledgedAt` and `acknowledgedBy`. Repeating it changes nothing: who was first ' +
        'stays. It is not public, sends no event, and does not change the status. Once the incident is resolved, this is history: it can be ' +
        'neither added nor undone, and reopening the incident ends it.',
      scope: 'write',
      output: incidentSchema,
      run: ({ ctx, params }) => acknowledgeIncident(ctx, params.id ?? ''),
    }),
    DELETE: operation({
      operationId: 'unacknowledgeIncident',
      summary: 'Undo the acknowledgement of an open incident',
      scope: 'write',
      output: incidentSchema,
      run: ({ ctx, params }) => unacknowledgeIncident(ctx, params.id ?? ''),
    }),
  },
  '/incidents/{id}/updates': {
    POST: operation({
      operationId: 'addIncidentUpdate',
      summary: 'Add an update to an incident',
      scope: 'write',
      body: createIncidentUpdateSchema,
      output: incidentSchema,
      created: ({ id }) => `/incidents/${id}`,
      run: ({ ctx, params, body }) => addIncidentUpdate(ctx, params.id ?? '', body),
    }),
  },
  '/incidents/{id}/updates/{updateId}': {
    PUT: operation({
      operationId: 'updateScheduledUpdate',
      summary: 'Change a scheduled update, or translate a published one',
      description:
        'Changes a scheduled update, or the translations of a published one; anything else of a published one cannot be changed. A dropped update that gets a new time is pending again.',
      scope: 'write',
      body: scheduledUpdateChangesSchema,
      output: incidentSchema,
      run: ({ ctx, params, body }) =>
        changeScheduledUpdate(ctx, params.id ?? '', params.updateId ?? '', body),
    }),
    DELETE: operation({
      operationId: 'deleteScheduledUpdate',
      summary: 'Cancel a scheduled update',
      description: 'Returns 404 once it is published.',
      scope: 'write',
      output: incidentSchema,
      run: ({ ctx, params }) => cancelScheduledUpdate(ctx, params.id ?? '', params.updateId ?? ''),
    }),
  },
});
