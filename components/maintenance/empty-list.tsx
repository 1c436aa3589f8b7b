import { Plus } from 'lucide-react';
import Link from 'next/link';
import { buttonLook } from '@/components/ui/button';

/** The list before the first window. */
export function EmptyList({ mayWrite }: { mayWrite: boolean }) {
  return (
    <section className="flex flex-col items-start gap-5 rounded-lg border border-line bg-surface px-5 py-8 sm:px-8">
      <div className="flex max-w-2xl flex-col gap-1">
        <h2 className="text-base font-semibold">No maintenance is planned</h2>
        <p className="text-muted">
          Within a maintenance window checks go on, but nobody is alerted, no incident opens, and no time
          counts in the uptime. Status pages announce it ahead.
        </p>
      </div>
      {mayWrite ? (
        <Link
          prefetch={false}
          href="/maintenance/new"
          className={buttonLook({ tone: 'primary', size: 'large' })}
        >
          <Plus aria-hidden="true" />
          Plan maintenance
        </Link>
      ) : null}
    </section>
  );
}
