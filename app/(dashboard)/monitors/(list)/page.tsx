import { Plus } from 'lucide-react';
import type { Metadata } from 'next';
import Link from 'next/link';
import { readBaseUrl } from '@/app/base-url';
import { CutOffNote } from '@/components/monitors/cut-off-note';
import { EmptyList } from '@/components/monitors/empty-list';
import { FirstMonitor } from '@/components/monitors/first-monitor';
import { MonitorList } from '@/components/monitors/monitor-list';
import { sortByTrouble, summarize } from '@/components/monitors/standing';
import { AutoRefresh } from '@/components/shell/auto-refresh';
import { buttonLook } from '@/components/ui/button';
import { permits } from '@/lib/context/permissions';
import { requireSession } from '@/lib/http/dashboard-session';
import { listMonitors } from '@/lib/monitors/list-monitors';
import { readCutOffRegions } from '@/lib/monitors/read-cut-off-regions';
import { readHeartbeats } from '@/lib/monitors/read-heartbeats';
import { refreshAction } from '../../actions';
import { firstMonitorValues } from '../form-values';
import { createMonitorAction } from '../new/actions';

export const dynamic = 'force-dynamic';
export const metadata: Metadata = { title: 'Monitors' };

export default async function MonitorsPage() {
  const { ctx } = await requireSession();
  const [{ items: monitors }, beats, cutOff] = await Promise.all([
    listMonitors(ctx),
    readHeartbeats(ctx),
    readCutOffRegions(ctx),
  ]);
  const isWriter = permits(ctx, 'monitor.create');
  const baseUrl = await readBaseUrl();
  return (
    <div className="flex flex-col gap-4">
      <AutoRefresh refresh={refreshAction} />
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
        <h1 className="text-lg font-semibold">Monitors</h1>
        {monitors.length > 0 ? (
          <p className="text-muted max-sm:order-last max-sm:w-full" aria-live="polite">
            {summarize(monitors)}
          </p>
        ) : null}
        {isWriter && monitors.length > 0 ? (
          <Link
            prefetch={false}
            href="/monitors/new"
            className={`${buttonLook({ tone: 'primary' })} ml-auto`}
          >
            <Plus aria-hidden="true" />
            New monitor
          </Link>
        ) : null}
      </div>
      <CutOffNote regions={cutOff} now={ctx.clock.now()} />
      {monitors.length === 0 ? (
        <EmptyList baseUrl={baseUrl} mayWrite={isWriter}>
          <FirstMonitor create={createMonitorAction} suggested={firstMonitorValues(baseUrl)} />
        </EmptyList>
      ) : (
        <MonitorList monitors={sortByTrouble(monitors)} beats={beats} now={ctx.clock.now()} />
      )}
    </div>
  );
}
