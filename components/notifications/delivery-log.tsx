import { DataTable } from '@/components/ui/data-table';
import { hrefWith } from '@/components/ui/navigation/href-with';
import { Pagination } from '@/components/ui/navigation/pagination';
import { Segments } from '@/components/ui/navigation/segments';
import { EmptyNote, RowLink } from '@/components/ui/section';
import { Moment } from '@/components/ui/time/moment';
import type { Delivery } from '@/lib/schemas/webhooks/delivery';
import { formatLogPlace, LOG_ORDER, type LogPlace, type LogQuery } from '@/lib/schemas/webhooks/delivery-log';
import { DeliveryFilterForm } from './delivery-filter-form';
import { DeliveryProgress } from './delivery-progress';
import { DeliverySubject } from './delivery-subject';
import { formatOutcome, STATUS_LABELS } from './delivery-texts';
import { DeliveryBadge } from './status-badges';

const CELL = 'px-3 py-2 align-middle max-sm:p-0';

const ROW =
  'relative border-b border-line last:border-0 hover:bg-sunken has-focus-visible:bg-sunken max-sm:grid max-sm:grid-cols-[1fr_auto] max-sm:items-baseline max-sm:gap-x-3 max-sm:gap-y-0.5 max-sm:px-3 max-sm:py-2.5';

type Named = { id: string; name: string };

type Props = {
  /** Path of this log, without its query. */
  path: string;
  query: LogQuery;
  page: { items: Delivery[]; next: LogPlace | null };
  monitors: Named[];
  /** Absent if all deliveries belong to one endpoint. */
  endpoints?: Named[];
  now: Date;
};

/** A page of the log with filters and pagination. */
export function DeliveryLog({ path, query, page, monitors, endpoints, now }: Props) {
  const { after, ...filter } = query;
  const { status } = filter;
  const at = (place: LogPlace | null) => hrefWith(path, { ...filter, after: place && formatLogPlace(place) });
  const names = endpoints && new Map(endpoints.map(({ id, name }) => [id, name]));
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end gap-x-6 gap-y-3">
        <Segments
          label="Filter deliveries by status"
          segments={[undefined, ...LOG_ORDER].map((each) => ({
            label: each === undefined ? 'All' : STATUS_LABELS[each],
            href: hrefWith(path, { ...filter, status: each }),
            isChosen: each === status,
          }))}
        />
        <DeliveryFilterForm path={path} query={query} monitors={monitors} endpoints={endpoints} />
      </div>
      {page.items.length > 0 ? (
        <DataTable
          cardsBelow="sm"
          columns={[
            { label: 'Status', className: 'w-28' },
            { label: 'Event', className: 'w-40' },
            { label: 'Subject' },
            names ? { label: 'Channel' } : null,
            { label: 'Last attempt', className: 'w-64 max-lg:w-auto' },
            { label: 'Created', className: 'w-40 text-right' },
          ]}
        >
          {page.items.map((delivery) => (
            <DeliveryRow
              key={delivery.id}
              delivery={delivery}
              now={now.toISOString()}
              endpoint={names && (names.get(delivery.webhookId) ?? 'Deleted channel')}
            />
          ))}
        </DataTable>
      ) : (
        <EmptyNote>{formatEmpty(query)}</EmptyNote>
      )}
      <Pagination first={after && at(null)} next={page.next && at(page.next)} />
    </div>
  );
}

function formatEmpty({ status, monitor, webhook }: LogQuery): string {
  if (monitor || webhook) return 'No matching deliveries. Deliveries are kept for 30 days.';
  return status ? `No ${status} deliveries.` : 'No deliveries yet. Deliveries are kept for 30 days.';
}

function DeliveryRow({ delivery, now, endpoint }: { delivery: Delivery; now: string; endpoint?: string }) {
  const { id, event, subject, status, createdAt, manualAttemptAt } = delivery;
  const outcome = formatOutcome(delivery);
  return (
    <tr className={ROW}>
      <td className={`${CELL} max-sm:order-2`}>
        <DeliveryBadge status={status} />
      </td>
      <th scope="row" className={`${CELL} text-left font-normal max-sm:order-1 max-sm:min-w-0`}>
        <RowLink
          href={`/notifications/deliveries/${id}`}
          className="block truncate font-mono text-xs leading-5"
        >
          {event}
        </RowLink>
      </th>
      <td className={`${CELL} max-sm:order-3 max-sm:col-span-2 max-sm:text-xs`}>
        <span className="relative line-clamp-2 w-fit wrap-anywhere">
          <DeliverySubject subject={subject} />
        </span>
      </td>
      {endpoint === undefined ? null : (
        <td className={`${CELL} max-sm:order-4 max-sm:col-span-2 max-sm:text-xs`}>
          <span className="block truncate" title={endpoint}>
            {endpoint}
          </span>
        </td>
      )}
      <td className={`${CELL} text-muted max-sm:order-5 max-sm:col-span-2 max-sm:text-xs`}>
        {status === 'pending' || manualAttemptAt ? (
          <span className="block text-ink tabular-nums">
            <DeliveryProgress delivery={delivery} now={now} />
          </span>
        ) : null}
        <span className="block truncate" title={outcome}>
          {outcome}
        </span>
      </td>
      <td
        className={`${CELL} text-right whitespace-nowrap text-muted tabular-nums max-sm:order-6 max-sm:col-span-2 max-sm:text-left max-sm:text-xs`}
      >
        <Moment at={createdAt} now={now} />
      </td>
    </tr>
  );
}
