import Link from 'next/link';
import { DataTable } from '@/components/ui/data-table';
import type { Report, ReportOutage } from '@/lib/schemas/reports/report';
import { formatAt, formatLength } from '@/lib/schemas/reports/report-texts';

const COLUMNS = [
  { label: 'Began', className: 'w-36' },
  { label: 'Monitor', className: 'md:w-56' },
  { label: 'Cause' },
  { label: 'Downtime', className: 'w-28 text-right' },
  { label: 'Incident', className: 'w-24 text-right print:hidden' },
];

type Props = { report: Pick<Report, 'outages' | 'monitors' | 'timeZone' | 'from' | 'until'> };

/** Every outage, newest first, in the time zone of the report. */
export function OutageTable({ report }: Props) {
  const names = new Map(report.monitors.map(({ monitorId, name }) => [monitorId, name]));
  return (
    <DataTable label="Outages" columns={COLUMNS} cardsBelow="md">
      {report.outages.map((outage) => (
        <OutageRow
          key={`${outage.monitorId} ${outage.startedAt}`}
          outage={outage}
          name={names.get(outage.monitorId) ?? ''}
          report={report}
        />
      ))}
    </DataTable>
  );
}

type RowProps = { outage: ReportOutage; name: string; report: Props['report'] };

function OutageRow({ outage, name, report: { timeZone, from, until } }: RowProps) {
  const { monitorId, startedAt, endedAt, downMs, cause, incidentId } = outage;
  const notes = [
    ...(startedAt < from ? ['began before'] : []),
    ...(endedAt === null ? ['ongoing'] : endedAt > until ? ['ended after'] : []),
  ];
  return (
    <tr className="border-b border-line break-inside-avoid last:border-0 max-md:grid max-md:grid-cols-[1fr_auto] max-md:gap-x-4 max-md:gap-y-0.5 max-md:px-3 max-md:py-2.5">
      <td className="px-3 py-2 whitespace-nowrap tabular-nums max-md:order-2 max-md:p-0 max-md:text-xs max-md:text-muted">
        <time dateTime={startedAt}>{formatAt(startedAt, timeZone)}</time>
      </td>
      <th scope="row" className="truncate px-3 py-2 text-left font-medium max-md:order-1 max-md:p-0">
        <Link prefetch={false} href={`/monitors/${monitorId}`} className="hover:text-accent">
          {name}
        </Link>
      </th>
      <td className="px-3 py-2 break-words text-muted max-md:order-5 max-md:col-span-2 max-md:p-0">
        {cause ?? '–'}
      </td>
      <td className="px-3 py-2 text-right whitespace-nowrap tabular-nums max-md:order-2 max-md:p-0">
        {formatLength(downMs)}
        {notes.length > 0 ? <span className="block text-xs text-muted">{notes.join(', ')}</span> : null}
      </td>
      <td className="px-3 py-2 text-right max-md:order-4 max-md:p-0 print:hidden">
        {incidentId === null ? (
          <span className="text-muted">–</span>
        ) : (
          <Link
            prefetch={false}
            href={`/incidents/${incidentId}`}
            className="underline underline-offset-2 hover:text-accent"
          >
            Open<span className="sr-only"> incident of {name}</span>
          </Link>
        )}
      </td>
    </tr>
  );
}
