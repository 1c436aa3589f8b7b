import { operation } from '@/lib/http/operation';
import { route } from '@/lib/http/route';
import { backtestMonitor } from '@/lib/monitors/backtest-monitor';
import { backtestInputSchema, backtestSchema } from '@/lib/schemas/backtest';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: operation({
    keepsNothing: true,
    summary: 'Replay the last days with other settings, and change nothing',
    scope: 'read',
    body: backtestInputSchema,
    bodyIsOptional: true,
    output: backtestSchema,
    run: ({ ctx, params, body }) => backtestMonitor(ctx, params.id ?? '', body),
  }),
});
