import Link from 'next/link';
import { buttonLook } from '@/components/ui/button';
import type { Delivery } from '@/lib/schemas/delivery';
import { formatLogPlace, type LogPlace, type LogQuery } from '@/lib/schemas/delivery-log';
import { DeliveryFilter } from './delivery-filter';
import { DeliveryTable } from './delivery-table';

type Props = {
  /** Where this log is, without its query. */
  path: string;
  query: LogQuery;
  page: { items: Delivery[]; next: LogPlace | null };
  names?: Map<string, string>;
  now: Date;
};

/** A page of the log, what narrows it, and the way to the next page. */
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
      <DeliveryFilter path={path} status={status} />
      {page.items.length > 0 ? (
        <DeliveryTable deliveries={page.items} now={now} {...(names ? { names } : {})} />
      ) : (
        <p className="rounded-lg border border-line bg-surface px-4 py-6 text-muted">
          {status ? `No delivery is ${status}.` : 'Nothing was sent yet. Deliveries are kept for 30 days.'}
        </p>
      )}
      {after || page.next ? (
        <nav aria-label="Pages" className="flex justify-end gap-2">
          {after ? (
            <Link prefetch={false} href={at(null)} className={buttonLook()}>
              First page
            </Link>
          ) : null}
          {page.next ? (
            <Link prefetch={false} href={at(page.next)} className={buttonLook()}>
              Next page
            </Link>
          ) : null}
        </nav>
      ) : null}
    </div>
  );
}
