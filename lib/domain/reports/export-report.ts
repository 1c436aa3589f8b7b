import { type Cell, writeCsv } from '@/lib/core/formats/csv';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Report, ReportExport } from '@/lib/schemas/reports/report';
import { readReport } from './read-report';

/** The columns of a table, each with its cell of an item. */
type Table<Item> = readonly (readonly [column: string, cell: (item: Item, report: Report) => Cell])[];

const MONITORS: Table<Report['monitors'][number]> = [
  ['Monitor', ({ name }) => name],
  ['Monitor ID', ({ monitorId }) => monitorId],
  ['Tags', ({ tags }) => tags.join(' ')],
  ['From', (_, { from }) => from],
  ['To', (_, { until }) => until],
  ['Uptime (%)', ({ uptimePercentage }) => uptimePercentage],
  ['Target (%)', (_, { target }) => target],
  ['Downtime (s)', ({ downMs }) => seconds(downMs)],
  ['Budget (s)', ({ budgetMs }) => seconds(budgetMs)],
  ['Budget left (s)', ({ budgetLeftMs }) => seconds(budgetLeftMs)],
  ['Outages', ({ outages }) => outages],
  ['Longest outage (s)', ({ longestOutageMs }) => longestOutageMs && seconds(longestOutageMs)],
  ['Degraded (s)', ({ degradedMs }) => seconds(degradedMs)],
  ['Maintenance (s)', ({ maintenanceMs }) => seconds(maintenanceMs)],
  ['Known time (s)', ({ knownMs }) => seconds(knownMs)],
  ['Checks', ({ checks }) => checks],
  ['Failed checks', ({ failures }) => failures],
  ['p50 (ms)', ({ responseTime }) => responseTime.p50],
  ['p95 (ms)', ({ responseTime }) => responseTime.p95],
  ['p99 (ms)', ({ responseTime }) => responseTime.p99],
  ['Measured uptime (%)', ({ measured }) => measured?.uptimePercentage ?? null],
  ['Measured downtime (s)', ({ measured }) => measured && seconds(measured.downMs)],
];

const OUTAGES: Table<Report['outages'][number]> = [
  [
    'Monitor',
    ({ monitorId }, { monitors }) => monitors.find((line) => line.monitorId === monitorId)?.name ?? null,
  ],
  ['Monitor ID', ({ monitorId }) => monitorId],
  ['Started at', ({ startedAt }) => startedAt],
  ['Ended at', ({ endedAt }) => endedAt],
  ['Downtime in the report (s)', ({ downMs }) => seconds(downMs)],
  ['Cause', ({ cause }) => cause],
  ['Incident ID', ({ incidentId }) => incidentId],
];

/**
 * A table of a report as CSV (RFC 4180, UTF-8). Cells that a spreadsheet would interpret as formulas get an apostrophe prefix. Throws
 * what `readReport` does, before the first part.
 */
export async function exportReport(
  ctx: OrganizationContext,
  { table, ...query }: ReportExport,
): Promise<AsyncGenerator<string>> {
  requirePermission(ctx, 'monitor.read');
  const report = await readReport(ctx, query);
  const rows =
    table === 'monitors'
      ? rowsOf(MONITORS, report.monitors, report)
      : rowsOf(OUTAGES, report.outages, report);
  return write(rows);
}

function rowsOf<Item>(table: Table<Item>, items: readonly Item[], report: Report): Cell[][] {
  return [
    table.map(([column]) => column),
    ...items.map((item) => table.map(([, cell]) => cell(item, report))),
  ];
}

async function* write(rows: Cell[][]): AsyncGenerator<string> {
  yield writeCsv(rows);
}

function seconds(ms: number): number {
  return Math.round(ms / 1000);
}
