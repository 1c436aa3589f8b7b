import { exportReport } from '@/lib/domain/reports/export-report';
import { readReport } from '@/lib/domain/reports/read-report';
import { reportExportSchema, reportQuerySchema, reportSchema } from '@/lib/schemas/reports/report';
import { csvOperation } from '@/lib/web/http/csv-operation';
import { operation } from '@/lib/web/http/operation';
import { resource } from '@/lib/web/http/route';

export const reports = resource({
  '/reports/uptime': {
    GET: operation({
      operationId: 'getUptimeReport',
      summary: 'Retrieve a report of uptime and response times',
      description:
        'Over a calendar month or any days within the last 400, in any time zone, for all monitors or those with a tag or on a status page. ' +
        'It is computed from the ledger. Maintenance and time without data do not count. A report covers at most 40,000 days of monitors: ' +
        'a month of 1,000, or a year of 100.',
      scope: 'read',
      query: reportQuerySchema,
      output: reportSchema,
      run: ({ ctx, query }) => readReport(ctx, query),
    }),
  },
  '/reports/uptime/export': {
    GET: csvOperation({
      operationId: 'exportUptimeReport',
      summary: 'Export a report as CSV',
      description: 'The monitors or the outages of a report, with times in seconds.',
      scope: 'read',
      query: reportExportSchema,
      name: 'report',
      run: ({ ctx, query }) => exportReport(ctx, query),
    }),
  },
});
