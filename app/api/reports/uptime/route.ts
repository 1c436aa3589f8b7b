import { readReport } from '@/lib/domain/reports/read-report';
import { reportQuerySchema, reportSchema } from '@/lib/schemas/reports/report';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
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
});
