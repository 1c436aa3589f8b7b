import {
  cancelScheduledUpdate,
  changeScheduledUpdate,
} from '@/lib/domain/incidents/schedule/schedule-update';
import { incidentSchema, scheduledUpdateChangesSchema } from '@/lib/schemas/incidents/incident';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  PUT: operation({
    operationId: 'updateScheduledUpdate',
    summary: 'Change a scheduled update, or translate a published one',
    description:
      'Changes a scheduled update, or the translations of a published one; anything else of a published one cannot be changed. A dropped update that gets a new time is pending again.',
    scope: 'write',
    body: scheduledUpdateChangesSchema,
    output: incidentSchema,
    run: ({ ctx, params, body }) => changeScheduledUpdate(ctx, params.id ?? '', params.updateId ?? '', body),
  }),
  DELETE: operation({
    operationId: 'deleteScheduledUpdate',
    summary: 'Cancel a scheduled update',
    description: 'Returns 404 once it is published.',
    scope: 'write',
    output: incidentSchema,
    run: ({ ctx, params }) => cancelScheduledUpdate(ctx, params.id ?? '', params.updateId ?? ''),
  }),
});
