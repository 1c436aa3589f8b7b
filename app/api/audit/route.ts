import { listAudit } from '@/lib/domain/audit/read-audit';
import { auditEntrySchema, auditQuerySchema } from '@/lib/schemas/audit';
import { listOperation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

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
