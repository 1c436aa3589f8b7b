import { listAudit } from '@/lib/audit/read-audit';
import { listOperation } from '@/lib/http/operation';
import { route } from '@/lib/http/route';
import { auditEntrySchema, auditQuerySchema } from '@/lib/schemas/audit';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: listOperation({
    summary: 'List what was done in the organization, and by whom',
    description:
      'Needs a key with the scope `write`, for the log shows the addresses of people. Kept for 400 days. `GET /audit/export` takes the same filters and answers all of it as CSV.',
    scope: 'write',
    query: auditQuerySchema,
    item: auditEntrySchema,
    run: ({ ctx, query }) => listAudit(ctx, query),
  }),
});
