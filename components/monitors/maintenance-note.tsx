import { Wrench } from 'lucide-react';
import Link from 'next/link';
import { formatSpan } from '@/components/maintenance/span';
import type { Monitor } from '@/lib/schemas/monitor';

type Props = {
  status: Monitor['status'];
  window: { id: string; title: string; until: string; timeZone: string };
};

/** That a monitor is in maintenance, until when, and what its checks say meanwhile. */
export function MaintenanceNote({ status, window }: Props) {
  const [until] = formatSpan(window.until, window.until, window.timeZone).split(' – ');
  return (
    <section
      aria-label="Maintenance"
      className="flex items-start gap-3 rounded-lg border border-line bg-sunken px-4 py-3"
    >
      <Wrench className="mt-0.5 size-4 shrink-0 text-accent" aria-hidden="true" />
      <div className="flex min-w-0 flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className="font-medium">
          In maintenance until {until} {window.timeZone}
        </span>
        <span className="text-sm text-muted">
          <Link
            prefetch={false}
            href={`/maintenance/${window.id}`}
            className="underline underline-offset-2 hover:text-ink"
          >
            {window.title}
          </Link>
          . Checks go on and say {status}; nobody is alerted.
        </span>
      </div>
    </section>
  );
}
