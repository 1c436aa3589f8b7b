import { Moment } from '@/components/ui/moment';
import type { Webhook } from '@/lib/schemas/webhook';
import { EndpointBadge } from './status-badges';

/** How an endpoint is doing, since when, and what that means. */
export function EndpointStanding({ endpoint, now }: { endpoint: Webhook; now: Date }) {
  return (
    <p className="flex flex-wrap items-center gap-x-1.5">
      <span aria-live="polite" className="flex">
        <EndpointBadge status={endpoint.status} />
      </span>
      <span className="text-muted">
        <Meaning endpoint={endpoint} now={now.toISOString()} />
      </span>
    </p>
  );
}

function Meaning({ endpoint, now }: { endpoint: Webhook; now: string }) {
  const { status, failingSince, autoDisabledAt } = endpoint;
  if (autoDisabledAt) {
    return (
      <>
        since <Moment at={autoDisabledAt} now={now} />, because it only failed for days. Enable it when the
        receiver works; what it misses meanwhile can be sent then.
      </>
    );
  }
  if (status === 'disabled')
    return 'by a person: what waited has failed, and events that happen meanwhile are not sent.';
  if (failingSince) {
    return (
      <>
        for <Moment at={failingSince} now={now} as="duration" />: after 5 days without a success it is
        disabled.
      </>
    );
  }
  return null;
}
