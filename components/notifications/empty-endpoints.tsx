import { Plus } from 'lucide-react';
import Link from 'next/link';
import { buttonLook } from '@/components/ui/button';

/** The list before the first endpoint: what webhooks are for, and how to begin. */
export function EmptyEndpoints({ mayCreate }: { mayCreate: boolean }) {
  return (
    <section className="rounded-lg border border-line bg-surface px-5 py-8 sm:px-8">
      <div className="flex max-w-2xl flex-col gap-5">
        <div className="flex flex-col gap-2">
          <h2 className="text-base font-semibold">Nobody is told yet</h2>
          <p className="text-muted">
            A webhook endpoint is an address of yours that gets a signed POST within seconds when a monitor
            goes down, recovers or slows, and when an incident changes. What fails is tried again five times
            over a day, and every try can be looked at here. Slack, Discord and Microsoft Teams take the
            events as messages.
          </p>
          {mayCreate ? null : (
            <p className="text-muted">
              Someone who may write in this organization can add the first endpoint.
            </p>
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          {mayCreate ? (
            <Link
              prefetch={false}
              href="/notifications/new"
              className={buttonLook({ tone: 'primary', size: 'large' })}
            >
              <Plus aria-hidden="true" />
              New endpoint
            </Link>
          ) : null}
          <Link prefetch={false} href="/docs#receiving-webhooks" className={buttonLook({ size: 'large' })}>
            How to receive webhooks
          </Link>
        </div>
      </div>
    </section>
  );
}
