import { Plus } from 'lucide-react';
import Link from 'next/link';
import { buttonLook } from '@/components/ui/button';

/** The list before the first page: what pages are for, and how to begin. */
export function EmptyPages({ mayCreate }: { mayCreate: boolean }) {
  return (
    <section className="flex flex-col items-start gap-5 rounded-lg border border-line bg-surface px-5 py-8 sm:px-8">
      <div className="flex max-w-2xl flex-col gap-2">
        <h2 className="text-base font-semibold">No status page yet</h2>
        <p className="text-muted">
          A status page shows everybody how the monitors of your choice are: now, over the last 90 days, and
          what happened. It keeps itself fresh, speaks the visitor’s language, and tells people of incidents
          and maintenance by e-mail and feed, under your own domain if you like.
        </p>
        {mayCreate ? null : (
          <p className="text-muted">Someone who may write in this organization can make the first one.</p>
        )}
      </div>
      {mayCreate ? (
        <Link
          prefetch={false}
          href="/status-pages/new"
          className={buttonLook({ tone: 'primary', size: 'large' })}
        >
          <Plus aria-hidden="true" />
          New status page
        </Link>
      ) : null}
    </section>
  );
}
