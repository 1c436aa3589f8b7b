import { Plus } from 'lucide-react';
import Link from 'next/link';
import { buttonLook } from '@/components/ui/button';

/** The list before the first incident. */
export function EmptyList({ mayWrite }: { mayWrite: boolean }) {
  return (
    <section className="flex flex-col items-start gap-5 rounded-lg border border-line bg-surface px-5 py-8 sm:px-8">
      <div className="flex max-w-2xl flex-col gap-1">
        <h2 className="text-base font-semibold">No incidents</h2>
        <p className="text-muted">
          One opens by itself when a monitor goes down, and is resolved when it comes back. For everything
          that no monitor sees, open one yourself: status pages show it, and their subscribers are told.
        </p>
      </div>
      {mayWrite ? (
        <Link
          prefetch={false}
          href="/incidents/new"
          className={buttonLook({ tone: 'primary', size: 'large' })}
        >
          <Plus aria-hidden="true" />
          Open an incident
        </Link>
      ) : null}
    </section>
  );
}
