import { DataTable } from '@/components/ui/data-table';
import type { Report, ReportOutage } from '@/lib/schemas/reports/report';
import { formatAt, formatLength } from '@/lib/schemas/reports/report-texts';
import { LaterOutageRows } from './later-rows';
import { OutageRow, type OutageRowData } from './outage-row';
import { splitRows } from './split-rows';

const COLUMNS = [
  { label: 'Started', className: 'w-36' },
  { label: 'Monitor', className: 'md:w-56' },
  { label: 'Cause' },
  { label: 'Downtime', className: 'w-28 text-right' },
  { label: 'Incident', className: 'w-24 text-right print:hidden' },
];

type Props = { report: Pick<Report, 'outages' | 'monitors' | 'timeZone' | 'from' | 'until'> };

/** Every outage, newest first, in the time zone of the report. */
export function OutageTable({ report }: Props) {
  const names = new Map(report.monitors.map(({ monitorId, name }) => [monitorId, name]));
  const { first, later } = splitRows(report.outages.map((outage) => toRow(outage, names, report)));
  return (
    <DataTable label="Outages" columns={COLUMNS} cardsBelow="md">
      {first.map((row) => (
        <OutageRow key={row.key} row={row} />
      ))}
      {later === null ? null : <LaterOutageRows packed={later} />}
    </DataTable>
  );
}

function toRow(
  { monitorId, startedAt, endedAt, downMs, cause, incidentId }: ReportOutage,
  names: ReadonlyMap<string, string>,
  { timeZone, from, until }: Props['report'],
): OutageRowData {
  const notes = [
    ...(startedAt < from ? ['began before'] : []),
    ...(endedAt === null ? ['ongoing'] : endedAt > until ? ['ended after'] : []),
  ];
  return {
    key: `${monitorId} ${startedAt}`,
    startedAt,
    began: formatAt(startedAt, timeZone),
    href: `/monitors/${monitorId}`,
    name: names.get(monitorId) ?? '',
    cause,
    downtime: formatLength(downMs),
    notes: notes.join(', '),
    incidentId,
  };
}
