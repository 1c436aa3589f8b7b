import { backtestMonitor } from '@/lib/domain/monitors/backtest-monitor';
import { backtestInputSchema, backtestSchema } from '@/lib/schemas/monitor/backtest';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: operation({
    keepsNothing: true,
    operationId: 'backtestMonitor',
    summary: 'Backtest a monitor with other settings',
    description: 'Replays the results of the last days. Changes nothing.',
    scope: 'read',
    errors: ['UNKNOWN_REGION', 'PLAN_LIMIT_EXCEEDED'],
    body: backtestInputSchema,
    bodyIsOptional: true,
    output: backtestSchema,
    run: ({ ctx, params, body }) => backtestMonitor(ctx, params.id ?? '', body),
  }),
});
