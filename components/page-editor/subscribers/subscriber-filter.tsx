import type { ReactNode } from 'react';
import { countSubscribers } from '@/components/incidents/incident-texts';
import { Segments } from '@/components/ui/navigation/segments';
import type { SubscriberStatus } from '@/lib/schemas/status-pages/subscriber';

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
  /** Controls at the end. */
  children?: ReactNode;
};

/** Filters subscribers by status through the URL, and shows their number. */
export function SubscriberFilter({ path, status, total, children }: Props) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Segments
        label="Filter subscribers by status"
        segments={CHOICES.map(({ status: own, label }) => ({
          label,
          href: own === undefined ? path : `${path}?status=${own}`,
          isChosen: own === status,
        }))}
      />
      <p className="text-muted tabular-nums">{countSubscribers(total)}</p>
      <div className="ml-auto flex flex-wrap gap-2">{children}</div>
    </div>
  );
}
