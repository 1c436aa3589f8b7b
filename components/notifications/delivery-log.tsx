import Link from 'next/link';
import { Moment } from '@/components/ui/moment';
import { Pagination } from '@/components/ui/pagination';
import { Segments } from '@/components/ui/segments';
import type { Delivery } from '@/lib/schemas/webhooks/delivery';
import { formatLogPlace, LOG_ORDER, type LogPlace, type LogQuery } from '@/lib/schemas/webhooks/delivery-log';
import { formatOutcome, STATUS_LABELS } from './delivery-texts';
import { DeliveryBadge } from './status-badges';

const HEAD = 'px-3 py-2 text-left text-xs font-medium text-muted whitespace-nowrap';

const CELL = 'px-3 py-2 align-middle max-sm:p-0';

const ROW =
  'relative border-b border-line last:border-0 hover:bg-sunken has-focus-visible:bg-sunken max-sm:grid max-sm:grid-cols-[1fr_auto] max-sm:items-baseline max-sm:gap-x-3 max-sm:gap-y-0.5 max-sm:px-3 max-sm:py-2.5';

type Props = {
  /** Path of this log, without its query. */
  path: string;
  query: LogQuery;
  page: { items: Delivery[]; next: LogPlace | null };
  /** Endpoint names by ID; absent if all deliveries belong to one endpoint. */
  names?: Map<string, string>;
  now: Date;
};

/** A page of the log with a status filter and pagination. */
export function DeliveryLog({ path, query, page, names, now }: Props) {
  const { status, after } = query;
  const at = (place: LogPlace | null) => {
    const search = new URLSearchParams({
      ...(status ? { status } : {}),
      ...(place ? { after: formatLogPlace(place) } : {}),
    });
    return search.size > 0 ? `${path}?${search}` : path;
  };
  return (
    <div className="flex flex-col gap-3">
      <Segments
        label="Filter deliveries by status"
        segments={[undefined, ...LOG_ORDER].map((each) => ({
          label: each === undefined ? 'All' : STATUS_LABELS[each],
          href: each === undefined ? path : `${path}?status=${each}`,
          isChosen: each === status,
        }))}
        className="self-start"
      />
      {page.items.length > 0 ? (
        <DeliveryTable deliveries={page.items} now={now} {...(names ? { names } : {})} />
      ) : (
        <p className="rounded-lg border border-line bg-surface px-4 py-6 text-muted">
          {status ? `No ${status} deliveries.` : 'No deliveries yet. Deliveries are kept for 30 days.'}
        </p>
      )}
      <Pagination first={after && at(null)} next={page.next && at(page.next)} />
    </div>
  );
}

type DeliveryTableProps = { deliveries: Delivery[]; now: Date; names?: Map<string, string> };

function DeliveryTable({ deliveries, now, names }: DeliveryTableProps) {
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      <table className="w-full table-fixed border-collapse max-sm:block">
        <thead className="border-b border-line max-sm:sr-only">
          <tr>
            <th scope="col" className={`${HEAD} w-28`}>
              Status
            </th>
            <th scope="col" className={`${HEAD} w-44`}>
              Event
            </th>
            {names ? (
              <th scope="col" className={HEAD}>
                Endpoint
              </th>
            ) : null}
            <th scope="col" className={HEAD}>
              Last attempt
            </th>
            <th scope="col" className={`${HEAD} w-20 text-right`}>
              Attempts
            </th>
            <th scope="col" className={`${HEAD} w-36 text-right`}>
              Created
            </th>
          </tr>
        </thead>
        <tbody className="max-sm:block">
          {deliveries.map((delivery) => (
            <DeliveryRow
              key={delivery.id}
              delivery={delivery}
              now={now.toISOString()}
              {...(names ? { endpoint: names.get(delivery.webhookId) ?? 'Deleted endpoint' } : {})}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function DeliveryRow({ delivery, now, endpoint }: { delivery: Delivery; now: string; endpoint?: string }) {
  const { id, event, status, attempts, createdAt, nextAttemptAt, manualAttemptAt } = delivery;
  return (
    <tr className={ROW}>
      <td className={`${CELL} max-sm:order-2`}>
        <DeliveryBadge status={status} />
      </td>
      <th scope="row" className={`${CELL} text-left font-normal max-sm:order-1 max-sm:min-w-0`}>
        <Link
          prefetch={false}
          href={`/notifications/deliveries/${id}`}
          className="block truncate font-mono text-xs leading-5 font-medium outline-offset-0 after:absolute after:inset-0"
        >
          {event}
        </Link>
      </th>
      {endpoint === undefined ? null : (
        <td className={`${CELL} max-sm:order-3 max-sm:col-span-2 max-sm:text-xs`}>
          <span className="block truncate" title={endpoint}>
            {endpoint}
          </span>
        </td>
      )}
      <td className={`${CELL} text-muted max-sm:order-4 max-sm:col-span-2 max-sm:text-xs`}>
        <span className="block truncate" title={formatOutcome(delivery)}>
          {formatOutcome(delivery)}
        </span>
      </td>
      <td className={`${CELL} text-right tabular-nums max-sm:hidden`}>{attempts}</td>
      <td
        className={`${CELL} text-right whitespace-nowrap text-muted tabular-nums max-sm:order-5 max-sm:col-span-2 max-sm:text-left max-sm:text-xs`}
      >
        <Moment at={createdAt} now={now} />
        {manualAttemptAt ? (
          <span className="block text-xs max-sm:ml-2 max-sm:inline">next attempt now</span>
        ) : nextAttemptAt ? (
          <span className="block text-xs max-sm:ml-2 max-sm:inline">
            next attempt <Moment at={nextAttemptAt} now={now} as="until" />
          </span>
        ) : null}
      </td>
    </tr>
  );
}
