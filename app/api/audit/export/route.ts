import { exportAudit } from '@/lib/audit/export-audit';
import { csvOperation } from '@/lib/http/csv-operation';
import { route } from '@/lib/http/route';
import { auditFilterSchema } from '@/lib/schemas/audit';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: csvOperation({
    scope: 'write',
    query: auditFilterSchema,
    name: 'audit',
    run: ({ ctx, query }) => exportAudit(ctx, query),
  }),
});
