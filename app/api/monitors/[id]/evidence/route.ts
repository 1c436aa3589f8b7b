import { listEvidence } from '@/lib/domain/monitors/evidence/read-evidence';
import { evidenceQuerySchema, evidenceSchema } from '@/lib/schemas/monitor/evidence';
import { listOperation } from '@/lib/web/http/operations/list-operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: listOperation({
    operationId: 'listMonitorEvidence',
    summary: 'List what checks of a monitor saw',
    description:
      'The first failure of each run in a region, the first success after it, and one good response a day, for 30 days. Of heartbeats: the output that the job sent with failures, with the first success after one, and once a day. Read-only keys get `[hidden]` instead of bodies, header values, and the paths of redirects.',
    scope: 'read',
    query: evidenceQuerySchema,
    item: evidenceSchema,
    run: ({ ctx, params, query }) => listEvidence(ctx, params.id ?? '', query),
  }),
});
