import { awaitCheck, requestCheck } from '@/lib/domain/monitors/check-monitor';
import { manualCheckSchema } from '@/lib/schemas/monitor/result';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: operation({
    operationId: 'checkMonitor',
    summary: 'Check a monitor now',
    description:
      'Checks the monitor once from each of its regions, and responds when all have reported, at the latest 5 seconds after its timeout. The results are stored, and never change the status. Once every 10 seconds.',
    scope: 'write',
    errors: ['MONITOR_PAUSED'],
    output: manualCheckSchema,
    run: ({ ctx, params }) => requestCheck(ctx, params.id ?? ''),
    conclude: ({ ctx, signal }, { id }) => awaitCheck(ctx, id, { signal }),
  }),
});
