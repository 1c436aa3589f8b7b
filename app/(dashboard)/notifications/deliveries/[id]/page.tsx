import { RotateCw } from 'lucide-react';
import type { Metadata } from 'next';
import type { PageProps } from '@/app/page-props';
import { AttemptList, PayloadView } from '@/components/notifications/attempt-list';
import { DeliveryFacts } from '@/components/notifications/delivery-facts';
import { DeliveryProgress } from '@/components/notifications/delivery-progress';
import { endpointName, formatStanding } from '@/components/notifications/delivery-texts';
import { DeliveryBadge } from '@/components/notifications/status-badges';
import { AutoRefresh } from '@/components/shell/auto-refresh';
import { PageHeading } from '@/components/shell/page-heading';
import { ActionRow } from '@/components/ui/action-row';
import { EmptyNote, Section } from '@/components/ui/section';
import { permits } from '@/lib/domain/context/permissions';
import { getDelivery } from '@/lib/domain/webhooks/read-deliveries';
import { listWebhooks } from '@/lib/domain/webhooks/read-webhooks';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { orNotFound } from '../../../act';
import { refreshAction } from '../../../actions';
import { replayAction } from '../../actions';

export const metadata: Metadata = { title: 'Delivery' };

export default async function DeliveryPage({ params }: PageProps<'id'>) {
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
      <PageHeading
        back={{ href: '/notifications/deliveries', label: 'Deliveries' }}
        title={<span className="font-mono text-base">{event}</span>}
        subtitle={id}
        actions={
          endpoint?.enabled && permits(ctx, 'delivery.replay') ? (
            <ActionRow
              label={isWaiting ? 'Waiting for a worker' : 'Replay'}
              icon={<RotateCw />}
              tone="primary"
              action={replayAction.bind(null, id)}
              isBusy={isWaiting}
            />
          ) : null
        }
      >
        <p className="flex flex-wrap items-center gap-x-1.5">
          <span aria-live="polite" className="flex">
            <DeliveryBadge status={status} />
          </span>
          <DeliveryProgress delivery={delivery} now={now.toISOString()} />
          <span className="text-muted">{formatStanding(delivery)}</span>
        </p>
        {endpoint && !endpoint.enabled ? (
          <p className="text-muted">The channel is disabled. Nothing is sent until you enable it.</p>
        ) : null}
      </PageHeading>
      <DeliveryFacts delivery={delivery} endpoint={endpoint ? endpointName(endpoint) : null} now={now} />
      <Section title="Attempts">
        {tries.length > 0 ? (
          <AttemptList attempts={tries} now={now.toISOString()} />
        ) : (
          <EmptyNote>No attempts yet.</EmptyNote>
        )}
      </Section>
      <Section title="Payload">
        <PayloadView text={payloadText} />
      </Section>
    </div>
  );
}
