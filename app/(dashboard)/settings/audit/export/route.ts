import { exportAudit } from '@/lib/domain/audit/read-audit';
import { auditPageSchema, pageFilter } from '@/lib/schemas/audit';
import { csvResponse } from '@/lib/web/http/csv-operation';
import { serveFile } from '../../../serve-file';

/** The filtered audit log, all pages of it, as a CSV file. */
export const GET = serveFile('audit.read', async (ctx, { query }) => {
  const day = ctx.clock.now().toISOString().slice(0, 10);
  return csvResponse(exportAudit(ctx, pageFilter(auditPageSchema.parse(query))), {
    name: `audit-${day}.csv`,
  });
});
