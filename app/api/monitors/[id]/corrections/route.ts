import { z } from 'zod';
import { createCorrection, listCorrections } from '@/lib/domain/monitors/corrections/change-corrections';
import { correctionSchema, createCorrectionSchema } from '@/lib/schemas/monitor/correction';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: operation({
    operationId: 'listMonitorCorrections',
    summary: 'List corrections of the ledger of a monitor',
    description: 'By `from`, newest first; at most 100.',
    scope: 'read',
    output: z.array(correctionSchema),
    run: ({ ctx, params }) => listCorrections(ctx, params.id ?? ''),
  }),
  POST: operation({
    operationId: 'createMonitorCorrection',
    summary: 'Correct what a time counts as',
    description:
      'Uptime, day bars and reports count the time as the given state. The ledger does not change, and what was measured is shown with ' +
      'it. Corrections of a monitor must not overlap. Nobody is notified, and incidents do not change.',
    scope: 'write',
    body: createCorrectionSchema,
    output: correctionSchema,
    created: ({ monitorId }) => `/monitors/${monitorId}/corrections`,
    run: ({ ctx, params, body }) => createCorrection(ctx, params.id ?? '', body),
  }),
});
