import { listAudit } from '@/lib/domain/audit/read-audit';
import { auditEntrySchema, auditQuerySchema } from '@/lib/schemas/audit';
import { listOperation } from '@/lib/web/http/operations/list-operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: listOperation({
    operationId: 'listAuditEntries',
    summary: 'List audit log entries',
    description:
      'Requires the scope `write`, because entries contain email and IP addresses. Entries are kept for 400 days. `GET /audit/export` accepts the same filters and returns all matching entries as CSV.',
    scope: 'write',
    query: auditQuerySchema,
    item: auditEntrySchema,
    run: ({ ctx, query }) => listAudit(ctx, query),
  }),
});
