import { notFound } from 'next/navigation';
import { exportAudit } from '@/lib/domain/audit/read-audit';
import { permits } from '@/lib/domain/context/permissions';
import { auditPageSchema, pageFilter } from '@/lib/schemas/audit';
import { csvResponse } from '@/lib/web/http/csv-operation';
import { requireSession } from '@/lib/web/http/dashboard-session';

/** The filtered audit log, all pages of it, as a CSV file. */
export async function GET(request: Request): Promise<Response> {
  const { ctx } = await requireSession();
  if (!permits(ctx, 'audit.read')) notFound();
  const query = auditPageSchema.parse(Object.fromEntries(new URL(request.url).searchParams));
  const day = ctx.clock.now().toISOString().slice(0, 10);
  return csvResponse(exportAudit(ctx, pageFilter(query)), { name: `audit-${day}.csv` });
}
