import {
  acknowledgeIncident,
  unacknowledgeIncident,
} from '@/lib/domain/incidents/acknowledge/acknowledge-incident';
import { incidentSchema } from '@/lib/schemas/incidents/incident';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
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
});
