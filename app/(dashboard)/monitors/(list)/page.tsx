import { Import, Plus } from 'lucide-react';
import type { Metadata } from 'next';
import { readBaseUrl } from '@/app/base-url';
import type { PageProps } from '@/app/page-props';
import { EmptyList } from '@/components/monitors/empty-list';
import { LazyFirstMonitor } from '@/components/monitors/lazy-first-monitor';
import { readListQuery } from '@/components/monitors/list/list-query';
import { countFirstRows, viewList } from '@/components/monitors/list/list-view';
import { MonitorBrowser } from '@/components/monitors/list/monitor-browser';
import { packLater } from '@/components/monitors/list/packed-monitors';
import { FirstSteps } from '@/components/organization/first-steps';
import { AutoRefresh } from '@/components/shell/auto-refresh';
import { ButtonLink } from '@/components/ui/navigation/button-link';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { permits } from '@/lib/domain/context/permissions';
import { listOverviews, readStrips } from '@/lib/domain/monitors/lists/list-overviews';
import { readFirstSteps } from '@/lib/domain/organizations/first-steps';
import { MAX_SELECTED } from '@/lib/schemas/monitor/monitor-selection';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { loadSomeoneNotified } from '../../act';
import { refreshAction } from '../../actions';
import { NobodyNote } from '../../notifications/nobody-note';
import { createMonitorAction } from '../actions';
import { firstMonitorValues } from '../form-values';
import {
  confirmAllAction,
  createFromUrlsAction,
  deleteAllAction,
  dismissFirstStepsAction,
  readStripsAction,
  setEnabledOfAllAction,
  tagAllAction,
} from './actions';

export const metadata: Metadata = { title: 'Monitors' };

const BULK = {
  actions: {
    setEnabled: setEnabledOfAllAction,
    confirm: confirmAllAction,
    tag: tagAllAction,
    remove: deleteAllAction,
  },
  max: MAX_SELECTED,
};

export default async function MonitorsPage({ searchParams }: PageProps) {
  const { ctx } = await requireSession();
  const [monitors, baseUrl, firstSteps] = await Promise.all([
    listOverviews(ctx),
    readBaseUrl(),
    renderFirstSteps(ctx),
  ]);
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
      {monitors.length === 0 ? null : (firstSteps ?? <NobodyNote ctx={ctx} />)}
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
              <LazyFirstMonitor
                createFromUrls={createFromUrlsAction}
                create={createMonitorAction}
                suggested={firstMonitorValues(baseUrl)}
              />
            </EmptyList>
          ) : null
        }
      />
      {monitors.length === 0 ? firstSteps : null}
    </div>
  );
}

/** The first steps of the organization, for those who can do most of them; null once they ended. */
async function renderFirstSteps(ctx: OrganizationContext) {
  if (!permits(ctx, 'monitor.create')) return null;
  const steps = await readFirstSteps(ctx, { isAnyoneNotified: await loadSomeoneNotified() });
  if (steps === null) return null;
  const links = {
    monitor: '/monitors/new',
    channel: '/notifications/new',
    test: steps.channel ? '/notifications/channels' : '/notifications/new',
    page: '/status-pages/new',
    ...(permits(ctx, 'invitation.create') ? { colleague: '/settings/members' } : {}),
  };
  return (
    <FirstSteps
      steps={steps}
      links={links}
      dismiss={permits(ctx, 'organization.dismiss-first-steps') ? dismissFirstStepsAction : undefined}
    />
  );
}

/** Parameters that are given twice are ignored. */
function onlyTexts(params: Awaited<PageProps['searchParams']>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
