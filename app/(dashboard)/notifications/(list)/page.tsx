import type { Metadata } from 'next';
import { EmptyEndpoints, EndpointList } from '@/components/notifications/endpoint-list';
import { SectionTabs } from '@/components/notifications/section-tabs';
import { AutoRefresh } from '@/components/shell/auto-refresh';
import { ListHeading } from '@/components/shell/list-heading';
import { permits } from '@/lib/domain/context/permissions';
import { readLatestDeliveries } from '@/lib/domain/webhooks/read-deliveries';
import { listWebhooks } from '@/lib/domain/webhooks/read-webhooks';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { refreshAction } from '../../actions';
import { setEnabledAction } from '../actions';

export const metadata: Metadata = { title: 'Notifications' };

export default async function NotificationsPage() {
  const { ctx } = await requireSession();
  const [endpoints, latest] = await Promise.all([listWebhooks(ctx), readLatestDeliveries(ctx)]);
  const mayCreate = permits(ctx, 'webhook.create');
  return (
    <div className="flex flex-col gap-4">
      <AutoRefresh refresh={refreshAction} of={['changes', 'deliveries']} />
      <ListHeading
        title="Notifications"
        create={
          mayCreate && endpoints.length > 0 ? { href: '/notifications/new', label: 'New endpoint' } : null
        }
      />
      <SectionTabs />
      {endpoints.length === 0 ? (
        <EmptyEndpoints mayCreate={mayCreate} />
      ) : (
        <EndpointList
          endpoints={endpoints}
          latest={latest}
          now={ctx.clock.now()}
          setEnabled={permits(ctx, 'webhook.update') ? setEnabledAction : undefined}
        />
      )}
    </div>
  );
}
