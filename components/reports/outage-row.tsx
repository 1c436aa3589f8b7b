import Link from 'next/link';

/** An outage, with its texts. */
export type OutageRowData = {
  key: string;
  startedAt: string;
  began: string;
  href: string;
  name: string;
  cause: string | null;
  downtime: string;
  notes: string;
  incidentId: string | null;
};

/** One row of the table of outages. */
export function OutageRow({ row }: { row: OutageRowData }) {
  const { startedAt, began, href, name, cause, downtime, notes, incidentId } = row;
  return (
    <tr className="border-b border-line break-inside-avoid last:border-0 max-md:grid max-md:grid-cols-[1fr_auto] max-md:gap-x-4 max-md:gap-y-0.5 max-md:px-3 max-md:py-2.5">
      <td className="px-3 py-2 whitespace-nowrap tabular-nums max-md:order-2 max-md:p-0 max-md:text-xs max-md:text-muted">
        <time dateTime={startedAt}>{began}</time>
      </td>
      <th scope="row" className="truncate px-3 py-2 text-left font-medium max-md:order-1 max-md:p-0">
        <Link prefetch={false} href={href} className="touch inline-block hover:text-accent">
          {name}
        </Link>
      </th>
      <td className="px-3 py-2 break-words text-muted max-md:order-5 max-md:col-span-2 max-md:p-0">
        {cause ?? '–'}
      </td>
      <td className="px-3 py-2 text-right whitespace-nowrap tabular-nums max-md:order-2 max-md:p-0">
        {downtime}
        {notes === '' ? null : <span className="block text-xs text-muted">{notes}</span>}
      </td>
      <td className="px-3 py-2 text-right max-md:order-4 max-md:p-0 print:hidden">
        {incidentId === null ? (
          <span className="text-muted">–</span>
        ) : (
          <Link
            prefetch={false}
            href={`/incidents/${incidentId}`}
            className="touch inline-block underline underline-offset-2 hover:text-accent"
          >
            View<span className="sr-only"> the incident of {name}</span>
          </Link>
        )}
      </td>
    </tr>
  );
}
