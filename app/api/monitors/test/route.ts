import { operation } from '@/lib/http/operation';
import { route } from '@/lib/http/route';
import { testMonitor } from '@/lib/monitors/test-monitor';
import { dryRunSchema } from '@/lib/schemas/dry-run';
import { createMonitorSchema } from '@/lib/schemas/monitor';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: operation({
    keepsNothing: true,
    summary: 'Check once what a monitor would check, and keep nothing',
    scope: 'write',
    body: createMonitorSchema,
    output: dryRunSchema,
    run: ({ ctx, body }) => testMonitor(ctx, body),
  }),
});
