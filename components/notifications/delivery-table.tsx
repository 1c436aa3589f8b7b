import Link from 'next/link';
import { Moment } from '@/components/ui/moment';
import type { Delivery } from '@/lib/schemas/delivery';
import { sayOutcome } from './delivery-texts';
import { DeliveryBadge } from './status-badges';

const HEAD = 'px-3 py-2 text-left text-xs font-medium text-muted whitespace-nowrap';
const CELL = 'px-3 py-2 align-middle max-sm:p-0';
const ROW =
  'relative border-b border-line last:border-0 hover:bg-sunken has-focus-visible:bg-sunken max-sm:grid max-sm:grid-cols-[1fr_auto] max-sm:items-baseline max-sm:gap-x-3 max-sm:gap-y-0.5 max-sm:px-3 max-sm:py-2.5';

type Props = {
  deliveries: Delivery[];
  now: Date;
  /** What each endpoint is called, by id; absent where all are of one endpoint. */
  names?: Map<string, string>;
};

/** Deliveries, one a row. */
export function DeliveryTable({ deliveries, now, names }: Props) {
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
              Last try
            </th>
            <th scope="col" className={`${HEAD} w-16 text-right`}>
              Tries
            </th>
            <th scope="col" className={`${HEAD} w-36 text-right`}>
              Made
            </th>
          </tr>
        </thead>
        <tbody className="max-sm:block">
          {deliveries.map((delivery) => (
            <DeliveryRow
              key={delivery.id}
              delivery={delivery}
              now={now.toISOString()}
              {...(names ? { endpoint: names.get(delivery.webhookId) ?? 'deleted endpoint' } : {})}
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
        <span className="block truncate" title={sayOutcome(delivery)}>
          {sayOutcome(delivery)}
        </span>
      </td>
      <td className={`${CELL} text-right tabular-nums max-sm:hidden`}>{attempts}</td>
      <td
        className={`${CELL} text-right whitespace-nowrap text-muted tabular-nums max-sm:order-5 max-sm:col-span-2 max-sm:text-left max-sm:text-xs`}
      >
        <Moment at={createdAt} now={now} />
        {manualAttemptAt ? (
          <span className="block text-xs max-sm:ml-2 max-sm:inline">next try now</span>
        ) : nextAttemptAt ? (
          <span className="block text-xs max-sm:ml-2 max-sm:inline">
            next try <Moment at={nextAttemptAt} now={now} as="until" />
          </span>
        ) : null}
      </td>
    </tr>
  );
}
