import { Plus } from 'lucide-react';
import type { Metadata } from 'next';
import { readBaseUrl } from '@/app/base-url';
import { EmptyList } from '@/components/monitors/empty-list';
import { FirstMonitor } from '@/components/monitors/first-monitor';
import { MonitorBrowser } from '@/components/monitors/list/monitor-browser';
import { CutOffNote } from '@/components/monitors/monitor-notes';
import { AutoRefresh } from '@/components/shell/auto-refresh';
import { ButtonLink } from '@/components/ui/navigation/button-link';
import { permits } from '@/lib/domain/context/permissions';
import { listOverviews } from '@/lib/domain/monitors/lists/list-overviews';
import { readCutOffRegions } from '@/lib/domain/monitors/silence';
import { MAX_SELECTED } from '@/lib/schemas/monitor/monitor-selection';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { refreshAction } from '../../actions';
import { createMonitorAction } from '../actions';
import { firstMonitorValues } from '../form-values';
import { deleteAllAction, setEnabledOfAllAction, tagAllAction } from './actions';

export const metadata: Metadata = { title: 'Monitors' };

const BULK = {
  actions: { setEnabled: setEnabledOfAllAction, tag: tagAllAction, remove: deleteAllAction },
  max: MAX_SELECTED,
};

export default async function MonitorsPage() {
  const { ctx } = await requireSession();
  const [monitors, cutOff, baseUrl] = await Promise.all([
    listOverviews(ctx),
    readCutOffRegions(ctx),
    readBaseUrl(),
  ]);
  const mayCreate = permits(ctx, 'monitor.create');
  return (
    <div className="flex flex-col gap-4">
      <AutoRefresh refresh={refreshAction} />
      <CutOffNote regions={cutOff} now={ctx.clock.now()} />
      <MonitorBrowser
        monitors={monitors}
        now={ctx.clock.now().toISOString()}
        bulk={permits(ctx, 'monitor.update') && permits(ctx, 'monitor.delete') ? BULK : null}
        create={
          mayCreate ? (
            <ButtonLink tone="primary" href="/monitors/new" icon={<Plus />}>
              New monitor
            </ButtonLink>
          ) : null
        }
        empty={
          <EmptyList baseUrl={baseUrl} mayWrite={mayCreate}>
            <FirstMonitor create={createMonitorAction} suggested={firstMonitorValues(baseUrl)} />
          </EmptyList>
        }
      />
    </div>
  );
}
