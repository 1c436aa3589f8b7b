import { exportReport } from '@/lib/domain/reports/export-report';
import { reportExportSchema, reportPageSchema } from '@/lib/schemas/reports/report';
import { csvResponse } from '@/lib/web/http/csv-operation';
import { serveFile } from '../../serve-file';
import { toReportQuery } from '../read-query';

/** A table of the report that the screen shows, as a CSV file. */
export const GET = serveFile('monitor.read', async (ctx, { query: parameters }) => {
  const table = reportExportSchema.shape.table.catch('monitors').parse(parameters.table);
  const query = toReportQuery(reportPageSchema.parse(parameters), ctx.clock.now());
  const parts = await exportReport(ctx, { ...query, table });
  const name = query.month ?? [query.from, query.to].filter(Boolean).join('-to-');
  return csvResponse(parts, { name: ['report', table, name].filter(Boolean).join('-').concat('.csv') });
});
