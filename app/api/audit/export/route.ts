import { exportAudit } from '@/lib/domain/audit/read-audit';
import { auditFilterSchema } from '@/lib/schemas/audit';
import { csvOperation } from '@/lib/web/http/csv-operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: csvOperation({
    operationId: 'exportAudit',
    summary: 'Export the audit log as CSV',
    description: 'The entries that match, newest first, as a stream.',
    scope: 'write',
    query: auditFilterSchema,
    name: 'audit',
    run: ({ ctx, query }) => exportAudit(ctx, query),
  }),
});
