import { operation, route } from '@/lib/http/route';
import { testMonitor } from '@/lib/monitors/test-monitor';
import { dryRunSchema } from '@/lib/schemas/dry-run';
import { createMonitorSchema } from '@/lib/schemas/monitor';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: operation({
    scope: 'write',
    body: createMonitorSchema,
    output: dryRunSchema,
    run: ({ ctx, body }) => testMonitor(ctx, body),
  }),
});
