import Link from 'next/link';
import type { DeliveryStatus } from '@/lib/schemas/delivery';
import { LOG_ORDER } from '@/lib/schemas/delivery-log';
import { STATUS_WORDS } from './delivery-texts';

type Props = { path: string; status: DeliveryStatus | undefined };

/** Narrows a log to one status; the choice is in the address. */
export function DeliveryFilter({ path, status }: Props) {
  const choices = [
    { label: 'All', href: path, isChosen: status === undefined },
    ...LOG_ORDER.map((each) => ({
      label: STATUS_WORDS[each],
      href: `${path}?status=${each}`,
      isChosen: each === status,
    })),
  ];
  return (
    <nav
      aria-label="Deliveries by status"
      className="flex gap-1 self-start rounded-lg border border-line bg-sunken p-1"
    >
      {choices.map(({ label, href, isChosen }) => (
        <Link
          key={label}
          prefetch={false}
          href={href}
          aria-current={isChosen ? 'true' : undefined}
          className="flex h-7 items-center rounded-md border border-transparent px-2.5 text-sm text-muted hover:text-ink aria-[current=true]:border-line-strong aria-[current=true]:bg-surface aria-[current=true]:font-medium aria-[current=true]:text-ink"
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
