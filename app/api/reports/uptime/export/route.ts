import { exportReport } from '@/lib/domain/reports/export-report';
import { reportExportSchema } from '@/lib/schemas/reports/report';
import { csvOperation } from '@/lib/web/http/csv-operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: csvOperation({
    operationId: 'exportUptimeReport',
    summary: 'Export a report as CSV',
    description: 'The monitors or the outages of a report, with times in seconds.',
    scope: 'read',
    query: reportExportSchema,
    name: 'report',
    run: ({ ctx, query }) => exportReport(ctx, query),
  }),
});
