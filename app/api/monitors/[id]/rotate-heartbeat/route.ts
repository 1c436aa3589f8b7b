import { rotateHeartbeat } from '@/lib/domain/monitors/heartbeats/rotate-heartbeat';
import { monitorSchema } from '@/lib/schemas/monitor';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: operation({
    operationId: 'rotateHeartbeat',
    summary: 'Replace the URL of a heartbeat',
    description:
      'The old URL stops working at once: calls to it are 404. Only for monitors of type `heartbeat`; for others, 400 `VALIDATION_ERROR`.',
    scope: 'write',
    output: monitorSchema,
    run: ({ ctx, params }) => rotateHeartbeat(ctx, params.id ?? ''),
  }),
});
