import { Import, Plus } from 'lucide-react';
import type { Metadata } from 'next';
import { readBaseUrl } from '@/app/base-url';
import type { PageProps } from '@/app/page-props';
import { EmptyList } from '@/components/monitors/empty-list';
import { FirstMonitor } from '@/components/monitors/first-monitor';
import { readListQuery } from '@/components/monitors/list/list-query';
import { countFirstRows, viewList } from '@/components/monitors/list/list-view';
import { MonitorBrowser } from '@/components/monitors/list/monitor-browser';
import { packLater } from '@/components/monitors/list/packed-monitors';
import { AutoRefresh } from '@/components/shell/auto-refresh';
import { ButtonLink } from '@/components/ui/navigation/button-link';
import { permits } from '@/lib/domain/context/permissions';
import { listOverviews, readStrips } from '@/lib/domain/monitors/lists/list-overviews';
import { MAX_SELECTED } from '@/lib/schemas/monitor/monitor-selection';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { refreshAction } from '../../actions';
import { createMonitorAction } from '../actions';
import { firstMonitorValues } from '../form-values';
import { deleteAllAction, readStripsAction, setEnabledOfAllAction, tagAllAction } from './actions';

export const metadata: Metadata = { title: 'Monitors' };

const BULK = {
  actions: { setEnabled: setEnabledOfAllAction, tag: tagAllAction, remove: deleteAllAction },
  max: MAX_SELECTED,
};

export default async function MonitorsPage({ searchParams }: PageProps) {
  const { ctx } = await requireSession();
  const [monitors, baseUrl] = await Promise.all([listOverviews(ctx), readBaseUrl()]);
  const query = readListQuery(new URLSearchParams(onlyTexts(await searchParams)));
  const first = viewList(monitors, query, countFirstRows);
  const strips = await readStrips(
    ctx,
    first.shown.map(({ id }) => id),
  );
  const mayCreate = permits(ctx, 'monitor.create');
  return (
    <div className="flex flex-col gap-4">
      <AutoRefresh refresh={refreshAction} />
      <MonitorBrowser
        first={first}
        all={packLater(monitors, query.sort)}
        strips={{ first: strips, read: readStripsAction }}
        now={ctx.clock.now().toISOString()}
        bulk={permits(ctx, 'monitor.update') && permits(ctx, 'monitor.delete') ? BULK : null}
        create={
          mayCreate ? (
            <>
              <ButtonLink href="/monitors/import" icon={<Import />}>
                Import
              </ButtonLink>
              <ButtonLink tone="primary" href="/monitors/new" icon={<Plus />}>
                New monitor
              </ButtonLink>
            </>
          ) : null
        }
        empty={
          monitors.length === 0 ? (
            <EmptyList baseUrl={baseUrl} mayWrite={mayCreate}>
              <FirstMonitor create={createMonitorAction} suggested={firstMonitorValues(baseUrl)} />
            </EmptyList>
          ) : null
        }
      />
    </div>
  );
}

/** Parameters that are given twice are ignored. */
function onlyTexts(params: Awaited<PageProps['searchParams']>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
