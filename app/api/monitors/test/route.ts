import { testMonitor } from '@/lib/domain/monitors/test-monitor';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { dryRunSchema } from '@/lib/schemas/monitor/result';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: operation({
    keepsNothing: true,
    operationId: 'testMonitor',
    summary: 'Test a monitor without creating it',
    description:
      'Runs a single check and stores nothing. At most ten of an organization run at the same time: others are 429 RATE_LIMITED with `Retry-After`. A client that disconnects ends its run.',
    scope: 'write',
    errors: ['UNKNOWN_REGION', 'BLOCKED_TARGET', 'PLAN_LIMIT_EXCEEDED'],
    body: createMonitorSchema,
    output: dryRunSchema,
    run: ({ ctx, body, signal }) => testMonitor(ctx, body, signal),
  }),
});
