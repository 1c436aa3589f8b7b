import Link from 'next/link';
import type { SubscriberStatus } from '@/lib/schemas/subscriber';

const CHOICES = [
  { status: undefined, label: 'All' },
  { status: 'confirmed', label: 'Confirmed' },
  { status: 'pending', label: 'Asked to confirm' },
] as const satisfies { status: SubscriberStatus | undefined; label: string }[];

type Props = {
  path: string;
  status: SubscriberStatus | undefined;
  /** How many there are of this status. */
  total: number;
};

/** Narrows the subscribers to one status, in the address, and says how many they are. */
export function SubscriberFilter({ path, status, total }: Props) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <nav
        aria-label="Subscribers by status"
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
