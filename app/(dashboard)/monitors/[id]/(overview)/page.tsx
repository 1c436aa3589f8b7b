import type { Metadata } from 'next';
import { readBaseUrl } from '@/app/base-url';
import type { PageProps } from '@/app/page-props';
import { ResponseSection } from '@/components/monitors/chart/response-section';
import { findUnavailable } from '@/components/monitors/checks/check-list';
import { curlReadMonitor } from '@/components/monitors/curl-commands';
import { DayBars } from '@/components/monitors/history/day-bars';
import { formatTransition } from '@/components/monitors/history/transition-texts';
import { MonitorActions } from '@/components/monitors/monitor-actions';
import { MonitorFacts, StatusLine } from '@/components/monitors/monitor-facts';
import { MaintenanceNote, MonitorNotes, OpenIncident } from '@/components/monitors/monitor-notes';
import { standingOf } from '@/components/monitors/standing-badge';
import { AutoRefresh } from '@/components/shell/auto-refresh';
import { PageHeading } from '@/components/shell/page-heading';
import { Section } from '@/components/ui/section';
import { WhenSeen } from '@/components/ui/when-seen';
import { permits } from '@/lib/domain/context/permissions';
import { monitorViewSchema } from '@/lib/schemas/monitor/monitor-view';
import { loadWorkerNotes } from '../../../act';
import { refreshAction } from '../../../actions';
import { deleteAction, setEnabledAction } from '../../actions';
import { loadChecksAction, loadHistoryAction, loadPhasesAction } from './actions';
import { loadMonitor, readPageData } from './page-data';

export async function generateMetadata({ params }: PageProps<'id'>): Promise<Metadata> {
  const { found: monitor } = await loadMonitor((await params).id);
  return { title: monitor.name };
}

export default async function MonitorPage({ params, searchParams }: PageProps<'id'>) {
  const { ctx, found: monitor } = await loadMonitor((await params).id);
  const query = await searchParams;
  const view = monitorViewSchema.parse(query);
  const [data, workers] = await Promise.all([readPageData(ctx, monitor, view), loadWorkerNotes()]);
  const { id, name } = monitor;
  const now = ctx.clock.now();
  const mayWrite = permits(ctx, 'monitor.update');
  const standing = standingOf(monitor);
  const { change } = data.standing;
  return (
    <div className="flex flex-col gap-6">
      <AutoRefresh refresh={refreshAction} />
      <PageHeading
        back={{ href: '/monitors', label: 'Monitors' }}
        title={name}
        subtitle={monitor.url}
        actions={
          mayWrite ? (
            <MonitorActions
              id={id}
              name={name}
              enabled={monitor.enabled}
              degradedThreshold={monitor.degradedThreshold}
              curl={curlReadMonitor(await readBaseUrl(), id)}
              setEnabled={setEnabledAction.bind(null, id, !monitor.enabled)}
              remove={deleteAction.bind(null, id)}
            />
          ) : null
        }
      >
        <StatusLine
          standing={standing}
          since={standing === 'noData' ? dateOf(monitor.noDataSince) : change && new Date(change.at)}
          why={standing === 'noData' ? null : change && formatTransition(change).why}
          now={now}
        />
      </PageHeading>
      <MonitorNotes
        monitor={monitor}
        unavailable={findUnavailable(data.latest)}
        unserved={workers.unserved.map(({ region }) => region)}
        mayWrite={mayWrite}
        now={now}
      />
      {data.window ? <MaintenanceNote status={monitor.status} window={data.window} /> : null}
      {data.standing.incident ? <OpenIncident incident={data.standing.incident} now={now} /> : null}
      <MonitorFacts
        monitor={monitor}
        uptime={data.overview.uptime}
        certificateEnd={data.standing.certificateEnd}
        pages={data.standing.pages}
        now={now}
      />
      <Section title="Uptime">
        <DayBars days={data.overview.days} />
      </Section>
      <ResponseSection
        id={id}
        view={view}
        overview={data.overview}
        incidents={data.incidents}
        isFitted={data.isFitted}
      />
      <WhenSeen label="Phases" load={loadPhasesAction.bind(null, id, query)} className="h-48" />
      <WhenSeen label="History" load={loadHistoryAction.bind(null, id, query)} className="h-96" />
      <WhenSeen label="Checks" load={loadChecksAction.bind(null, id, query)} className="h-200" />
    </div>
  );
}

function dateOf(instant: string | null): Date | null {
  return instant === null ? null : new Date(instant);
}
