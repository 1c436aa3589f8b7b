import type { Metadata } from 'next';
import { AttemptList, PayloadView } from '@/components/notifications/attempt-list';
import { DeliveryFacts } from '@/components/notifications/delivery-facts';
import { endpointName, formatStanding } from '@/components/notifications/delivery-texts';
import { ReplayButton } from '@/components/notifications/replay-button';
import { DeliveryBadge } from '@/components/notifications/status-badges';
import { AutoRefresh } from '@/components/shell/auto-refresh';
import { BackLink } from '@/components/shell/back-link';
import { permits } from '@/lib/domain/context/permissions';
import { getDelivery } from '@/lib/domain/webhooks/read-deliveries';
import { listWebhooks } from '@/lib/domain/webhooks/read-webhooks';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { orNotFound } from '../../../act';
import { refreshAction } from '../../../actions';
import { replayAction } from './actions';

export const dynamic = 'force-dynamic';
export const metadata: Metadata = { title: 'Delivery' };

type Props = { params: Promise<{ id: string }> };

export default async function DeliveryPage({ params }: Props) {
  const { ctx } = await requireSession();
  const { id } = await params;
  const [delivery, endpoints] = await Promise.all([orNotFound(getDelivery(ctx, id)), listWebhooks(ctx)]);
  const endpoint = endpoints.find((each) => each.id === delivery.webhookId);
  const { event, status, tries, payloadText } = delivery;
  const isWaiting = delivery.manualAttemptAt !== null;
  const now = ctx.clock.now();
  return (
    <div className="flex flex-col gap-6">
      <AutoRefresh refresh={refreshAction} of={['changes', 'deliveries']} />
      <div className="flex flex-col gap-2">
        <BackLink href="/notifications/deliveries" label="Deliveries" />
        <div className="flex flex-wrap items-start justify-between gap-3">
          <div className="min-w-0">
            <h1 className="font-mono text-base leading-7 font-semibold">{event}</h1>
            <p className="font-mono text-xs break-all text-muted">{id}</p>
          </div>
          {endpoint?.enabled && permits(ctx, 'delivery.replay') ? (
            <ReplayButton replay={replayAction.bind(null, id)} isWaiting={isWaiting} />
          ) : null}
        </div>
        <p className="flex flex-wrap items-center gap-x-1.5">
          <span aria-live="polite" className="flex">
            <DeliveryBadge status={status} />
          </span>
          <span className="text-muted">{formatStanding(delivery)}</span>
        </p>
        {endpoint && !endpoint.enabled ? (
          <p className="text-muted">The endpoint is disabled. Nothing is sent until you enable it.</p>
        ) : null}
      </div>
      <DeliveryFacts delivery={delivery} endpoint={endpoint ? endpointName(endpoint) : null} now={now} />
      <section aria-labelledby="attempts-title" className="flex flex-col gap-3">
        <h2 id="attempts-title" className="text-sm font-semibold">
          Attempts
        </h2>
        {tries.length > 0 ? (
          <AttemptList attempts={tries} now={now.toISOString()} />
        ) : (
          <p className="rounded-lg border border-line bg-surface px-4 py-6 text-muted">No attempts yet.</p>
        )}
      </section>
      <section aria-labelledby="payload-title" className="flex flex-col gap-3">
        <h2 id="payload-title" className="text-sm font-semibold">
          Payload
        </h2>
        <PayloadView text={payloadText} />
      </section>
    </div>
  );
}
