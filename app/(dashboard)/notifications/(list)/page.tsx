import { Plus } from 'lucide-react';
import type { Metadata } from 'next';
import Link from 'next/link';
import { EmptyEndpoints, EndpointList } from '@/components/notifications/endpoint-list';
import { SectionTabs } from '@/components/notifications/section-tabs';
import { AutoRefresh } from '@/components/shell/auto-refresh';
import { buttonLook } from '@/components/ui/button';
import { permits } from '@/lib/domain/context/permissions';
import { readLatestDeliveries } from '@/lib/domain/webhooks/read-deliveries';
import { listWebhooks } from '@/lib/domain/webhooks/read-webhooks';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { refreshAction } from '../../actions';
import { setEnabledAction } from '../[id]/actions';

export const dynamic = 'force-dynamic';
export const metadata: Metadata = { title: 'Notifications' };

export default async function NotificationsPage() {
  const { ctx } = await requireSession();
  const [endpoints, latest] = await Promise.all([listWebhooks(ctx), readLatestDeliveries(ctx)]);
  const mayCreate = permits(ctx, 'webhook.create');
  return (
    <div className="flex flex-col gap-4">
      <AutoRefresh refresh={refreshAction} of={['changes', 'deliveries']} />
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
        <h1 className="text-lg font-semibold">Notifications</h1>
        {mayCreate && endpoints.length > 0 ? (
          <Link
            prefetch={false}
            href="/notifications/new"
            className={`${buttonLook({ tone: 'primary' })} ml-auto`}
          >
            <Plus aria-hidden="true" />
            New endpoint
          </Link>
        ) : null}
      </div>
      <SectionTabs current="endpoints" />
      {endpoints.length === 0 ? (
        <EmptyEndpoints mayCreate={mayCreate} />
      ) : (
        <EndpointList
          endpoints={endpoints}
          latest={latest}
          now={ctx.clock.now()}
          {...(permits(ctx, 'webhook.update') ? { setEnabled: setEnabledAction } : {})}
        />
      )}
    </div>
  );
}
