import { createMonitors } from '@/lib/domain/monitors/writes/create-monitors';
import {
  bulkItems,
  bulkMonitorsSchema,
  bulkResultsSchema,
  documentedBulkSchema,
  MAX_BULK_VALUES,
} from '@/lib/schemas/monitor/bulk';
import { operation } from '@/lib/web/http/operation';
import { itemProblem } from '@/lib/web/http/problem';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: operation({
    operationId: 'createMonitors',
    summary: 'Create many monitors',
    description:
      'Each monitor is created, or not, for itself: the response is 200, with a result for each in the order sent. With `atomic`, all are created or none: the first error is that of the whole request, with paths such as `monitors.3.name`. With `upsert`, a monitor whose `ref` exists is changed instead, and only what is to change is required. The second of two monitors with the same `ref` is REF_TAKEN.',
    scope: 'write',
    errors: [
      'UNKNOWN_MONITOR',
      'UNKNOWN_REGION',
      'BLOCKED_TARGET',
      'PLAN_LIMIT_EXCEEDED',
      'CONFLICT',
      'REF_TAKEN',
    ],
    body: bulkMonitorsSchema,
    documentedBody: documentedBulkSchema,
    maxValues: MAX_BULK_VALUES,
    output: bulkResultsSchema,
    run: async ({ ctx, body }) => {
      const { monitors, atomic: isAtomic, upsert: isUpsert } = body;
      const outcomes = await createMonitors(ctx, bulkItems(monitors), { isAtomic, isUpsert });
      const results = outcomes.map((outcome) => {
        if ('error' in outcome) return itemProblem(outcome.error);
        return { status: outcome.isCreated ? (201 as const) : (200 as const), monitor: outcome.resource };
      });
      return { results };
    },
  }),
});
