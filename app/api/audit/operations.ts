import { exportAudit, listAudit } from '@/lib/domain/audit/read-audit';
import { auditEntrySchema, auditFilterSchema, auditQuerySchema } from '@/lib/schemas/audit';
import { csvOperation } from '@/lib/web/http/csv-operation';
import { listOperation } from '@/lib/web/http/operations/list-operation';
import { resource } from '@/lib/web/http/route';

export const audit = resource({
  '/audit': {
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
  },
  '/audit/export': {
    GET: csvOperation({
      operationId: 'exportAudit',
      summary: 'Export the audit log as CSV',
      description: 'The entries that match, newest first, as a stream.',
      scope: 'write',
      query: auditFilterSchema,
      name: 'audit',
      run: ({ ctx, query }) => exportAudit(ctx, query),
    }),
  },
});
