import Link from 'next/link';
import { buttonLook } from '@/components/ui/button';
import { type Cursor, formatCursor } from '@/lib/schemas/query';
import type { SubscriberStatus } from '@/lib/schemas/subscriber';

const CHOICES = [
  { status: undefined, label: 'All' },
  { status: 'confirmed', label: 'Confirmed' },
  { status: 'pending', label: 'Unconfirmed' },
] as const satisfies { status: SubscriberStatus | undefined; label: string }[];

type Props = {
  path: string;
  status: SubscriberStatus | undefined;
  /** Number of subscribers with this status. */
  total: number;
};

/** Filters subscribers by status through the URL, and shows their number. */
export function SubscriberFilter({ path, status, total }: Props) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <nav
        aria-label="Filter subscribers by status"
        className="flex gap-1 rounded-lg border border-line bg-sunken p-1"
      >
        {CHOICES.map(({ status: own, label }) => (
          <Link
            key={label}
            prefetch={false}
            href={own === undefined ? path : `${path}?status=${own}`}
            aria-current={own === status ? 'true' : undefined}
            className="flex h-7 items-center rounded-md border border-transparent px-2.5 text-sm text-muted hover:text-ink aria-[current=true]:border-line-strong aria-[current=true]:bg-surface aria-[current=true]:font-medium aria-[current=true]:text-ink"
          >
            {label}
          </Link>
        ))}
      </nav>
      <p className="text-muted tabular-nums">
        {total === 1 ? '1 address' : `${total.toLocaleString('en-US')} addresses`}
      </p>
    </div>
  );
}

type SubscriberPagerProps = {
  path: string;
  status: SubscriberStatus | undefined;
  isFirst: boolean;
  /** Cursor of the next page; null on the last one. */
  next: Cursor | null;
};

/** Links to the first and next page of subscribers. */
export function SubscriberPager({ path, status, isFirst, next }: SubscriberPagerProps) {
  if (isFirst && next === null) return null;
  const at = (place: Cursor | null) =>
    `${path}?${new URLSearchParams({
      ...(status ? { status } : {}),
      ...(place ? { after: formatCursor(place) } : {}),
    })}`;
  return (
    <nav aria-label="Pagination" className="flex justify-end gap-2">
      {isFirst ? null : (
        <Link prefetch={false} href={at(null)} className={buttonLook()}>
          First page
        </Link>
      )}
      {next ? (
        <Link prefetch={false} href={at(next)} className={buttonLook()}>
          Next page
        </Link>
      ) : null}
    </nav>
  );
}
