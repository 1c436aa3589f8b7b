import type { Metadata } from 'next';
import type { PageProps } from '@/app/page-props';
import { DeliveryLog } from '@/components/notifications/delivery-log';
import { endpointName } from '@/components/notifications/delivery-texts';
import { SectionTabs } from '@/components/notifications/section-tabs';
import { AutoRefresh } from '@/components/shell/auto-refresh';
import { listMonitorNames } from '@/lib/domain/monitors/lists/list-monitors';
import { readDeliveryLog } from '@/lib/domain/webhooks/deliveries/read-delivery-log';
import { listWebhooks } from '@/lib/domain/webhooks/read-webhooks';
import { logQuerySchema } from '@/lib/schemas/webhooks/delivery-log';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { refreshAction } from '../../../actions';

export const metadata: Metadata = { title: 'Deliveries' };

const PAGE = 50;

export default async function DeliveriesPage({ searchParams }: PageProps) {
  const { ctx } = await requireSession();
  const query = logQuerySchema.parse(await searchParams);
  const [page, monitors, endpoints] = await Promise.all([
    readDeliveryLog(ctx, { ...query, limit: PAGE }),
    listMonitorNames(ctx),
    listWebhooks(ctx),
  ]);
  return (
    <div className="flex flex-col gap-4">
      <AutoRefresh refresh={refreshAction} of={['changes', 'deliveries']} />
      <h1 className="flex min-h-8 items-center text-lg font-semibold">Notifications</h1>
      <SectionTabs />
      <DeliveryLog
        path="/notifications/deliveries"
        query={query}
        page={page}
        monitors={monitors}
        endpoints={endpoints.map((endpoint) => ({ id: endpoint.id, name: endpointName(endpoint) }))}
        now={ctx.clock.now()}
      />
    </div>
  );
}
