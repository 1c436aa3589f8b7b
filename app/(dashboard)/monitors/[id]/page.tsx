import type { Metadata } from 'next';
import { Suspense } from 'react';
import { readBaseUrl } from '@/app/base-url';
import type { PageProps } from '@/app/page-props';
import { AcknowledgeButton } from '@/components/incidents/acknowledge-button';
import { ResponseSection } from '@/components/monitors/chart/response-section';
import { findUnavailable } from '@/components/monitors/checks/check-list';
import { curlReadMonitor } from '@/components/monitors/curl-commands';
import { EvidencePlace } from '@/components/monitors/evidence/evidence-place';
import { GroupPanel } from '@/components/monitors/group/group-panel';
import { HeartbeatPanel } from '@/components/monitors/heartbeat/heartbeat-panel';
import { DayBars } from '@/components/monitors/history/day-bars';
import { packDays } from '@/components/monitors/history/packed-days';
import { formatTransition } from '@/components/monitors/history/transition-texts';
import { MonitorActions } from '@/components/monitors/monitor-actions';
import { StatusLine, UptimeFacts } from '@/components/monitors/monitor-facts';
import { MaintenanceNote, MonitorNotes, OpenIncident } from '@/components/monitors/monitor-notes';
import { MonitorSkeleton } from '@/components/monitors/monitor-skeleton';
import { ProblemSection } from '@/components/monitors/problem/problem-section';
import { summarizeVotes } from '@/components/monitors/problem/vote-table';
import type { RegionNames } from '@/components/monitors/regions/name-region';
import { standingOf } from '@/components/monitors/standing-badge';
import { AutoRefresh } from '@/components/shell/auto-refresh';
import { PageHeading } from '@/components/shell/page-heading';
import { Section } from '@/components/ui/section';
import { TextLink } from '@/components/ui/text-link';
import { WhenSeen } from '@/components/ui/when-seen';
import { isGroup, isProbed } from '@/lib/checks/types';
import { within } from '@/lib/core/calls/within';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { permits } from '@/lib/domain/context/permissions';
import type { StandingDetails } from '@/lib/domain/monitors/read-standings';
import type { Monitor } from '@/lib/schemas/monitor';
import { type MonitorView, monitorViewSchema } from '@/lib/schemas/monitor/monitor-view';
import { loadWorkerNotes } from '../../act';
import { refreshAction } from '../../actions';
import { acknowledgeAction, unacknowledgeAction } from '../../incidents/actions';
import { NobodyNote } from '../../notifications/nobody-note';
import { deleteAction, rotateHeartbeatAction, setEnabledAction } from '../actions';
import {
  loadChecksAction,
  loadDetailsAction,
  loadEvidenceAction,
  loadHistoryAction,
  loadPhasesAction,
} from './actions';
import { loadMonitor, readPageData } from './page-data';

export async function generateMetadata({ params }: PageProps<'id'>): Promise<Metadata> {
  const { found: monitor } = await loadMonitor((await params).id);
  return { title: monitor.name };
}

/** A skeleton that is replaced sooner only flickers, and takes as much CPU as a tenth of the page. */
const SKELETON_AFTER_MS = 100;

export default async function MonitorPage({ params, searchParams }: PageProps<'id'>) {
  // Before anything is sent, so that an unknown ID returns 404 instead of 200.
  const { ctx, found: monitor } = await loadMonitor((await params).id);
  const rendering = renderMonitor(ctx, monitor, await searchParams);
  // One shape, fast or slow, so that a refresh never replaces the page and loses what is open in it.
  return (
    <Suspense fallback={<MonitorSkeleton />}>
      {(await within(SKELETON_AFTER_MS, rendering)) ?? rendering}
    </Suspense>
  );
}

async function renderMonitor(ctx: OrganizationContext, monitor: Monitor, query: unknown) {
  const view = monitorViewSchema.parse(query);
  const [data, workers, baseUrl] = await Promise.all([
    readPageData(ctx, monitor, view),
    loadWorkerNotes(),
    readBaseUrl(),
  ]);
  const { id } = monitor;
  const { regionNames: names } = workers;
  const now = ctx.clock.now();
  const shown = { ctx, monitor, data, names, now };
  const { problem } = data;
  const uptime = <Uptime {...shown} />;
  const history = (
    <WhenSeen label="History" load={loadHistoryAction} args={[id, query]} className="h-96">
      {isGroup(monitor) ? null : (
        <WhenSeen label="Checks" load={loadChecksAction} args={[id, query]} className="h-200" />
      )}
    </WhenSeen>
  );
  // A group has no checks: its members have.
  const evidence = isGroup(monitor) ? null : await renderEvidence(monitor, view, query, problem !== null);
  return (
    <div className="flex flex-col gap-6">
      <AutoRefresh refresh={refreshAction} />
      <Heading {...shown} baseUrl={baseUrl} />
      <Description text={monitor.description} />
      <NobodyNote ctx={ctx} />
      <MonitorNotes
        monitor={monitor}
        unavailable={findUnavailable(data.latest)}
        unserved={workers.unserved.map(({ region }) => region)}
        mayWrite={permits(ctx, 'monitor.update')}
        now={now}
      />
      {data.window ? <MaintenanceNote status={monitor.status} window={data.window} /> : null}
      <IncidentAndSources {...shown} />
      {problem ? (
        <ProblemSection
          {...problem}
          votes={isProbed(monitor) ? data.standing.votes : []}
          latest={data.latest}
          names={names}
          now={now}
        />
      ) : (
        uptime
      )}
      {problem ? evidence : null}
      <Responses {...shown} view={view} />
      {problem ? uptime : null}
      <WhenSeen label="Configuration" load={loadDetailsAction} args={[id, query]} className="h-88" />
      {problem ? null : evidence}
      {isProbed(monitor) ? (
        <WhenSeen label="Phases" load={loadPhasesAction} args={[id, query]} className="h-48">
          {history}
        </WhenSeen>
      ) : (
        history
      )}
    </div>
  );
}

/** Of a monitor that has checks: the members of a group have them. */
function Responses({ monitor, data, names, view }: Shown & { view: MonitorView }) {
  if (isGroup(monitor)) return null;
  const { overview, incidents, markers, isFitted } = data;
  const shown = { view, overview, names, incidents, markers, isFitted };
  return <ResponseSection id={monitor.id} {...shown} />;
}

/** What the team wrote about a monitor. */
function Description({ text }: { text: string | null }) {
  if (text === null) return null;
  return <p className="-mt-3 max-w-prose text-muted whitespace-pre-line wrap-anywhere">{text}</p>;
}

/** During an outage it is above the fold, where nothing may move. */
async function renderEvidence(
  { id, ...monitor }: Monitor,
  { evidence }: MonitorView,
  query: unknown,
  isAbove: boolean,
) {
  return (
    <EvidencePlace chosen={evidence}>
      {isAbove ? (
        await loadEvidenceAction(id, query)
      ) : (
        <WhenSeen
          label={isProbed(monitor) ? 'Evidence' : 'Output'}
          load={loadEvidenceAction}
          args={[id, query]}
          className="h-48"
        />
      )}
    </EvidencePlace>
  );
}

type Shown = {
  ctx: OrganizationContext;
  monitor: Monitor;
  data: Awaited<ReturnType<typeof readPageData>>;
  names: RegionNames;
  now: Date;
};

function Heading({ ctx, monitor, data, names, now, baseUrl }: Shown & { baseUrl: string }) {
  const { id, name } = monitor;
  const standing = standingOf(monitor);
  const { problem } = data;
  const { change } = data.standing;
  return (
    <PageHeading
      back={{ href: '/monitors', label: 'Monitors' }}
      title={name}
      subtitle={monitor.url}
      actions={
        permits(ctx, 'monitor.update') ? (
          <MonitorActions
            id={id}
            name={name}
            enabled={monitor.enabled}
            isProbed={isProbed(monitor)}
            degradedThreshold={monitor.degradedThreshold}
            curl={curlReadMonitor(baseUrl, id)}
            setEnabled={setEnabledAction}
            remove={deleteAction}
          />
        ) : null
      }
    >
      <StatusLine
        standing={standing}
        since={
          standing === 'noData'
            ? dateOf(monitor.noDataSince)
            : (problem?.since ?? (change && new Date(change.at)))
        }
        isFlapping={monitor.flappingSince !== null}
        why={standing === 'noData' ? null : formatWhy(data.standing, names)}
        now={now}
      />
    </PageHeading>
  );
}

function Uptime({ monitor, data, now }: Shown) {
  const { id } = monitor;
  return (
    <Section
      title="Uptime"
      aside={
        <TextLink isAlone href={`/monitors/${id}/corrections`}>
          Corrections
        </TextLink>
      }
    >
      <UptimeFacts
        uptime={data.overview.uptime}
        measured={data.overview.measuredUptime}
        createdAt={monitor.createdAt}
        now={now}
      />
      <DayBars packed={packDays(data.overview.days)} />
    </Section>
  );
}

/** Who has acknowledged the open incident, how the job is to call, and what the members of a group are. */
function IncidentAndSources({ ctx, monitor, data, now }: Shown) {
  const { id } = monitor;
  const { incident } = data.standing;
  return (
    <>
      {incident ? (
        <OpenIncident incident={incident} now={now}>
          {permits(ctx, 'incident.acknowledge') ? (
            <AcknowledgeButton
              isAcknowledged={incident.acknowledgedAt !== null}
              acknowledge={(incident.acknowledgedAt === null ? acknowledgeAction : unacknowledgeAction).bind(
                null,
                incident.id,
              )}
            />
          ) : null}
        </OpenIncident>
      ) : null}
      {data.heartbeat && monitor.heartbeatUrl !== null ? (
        <HeartbeatPanel
          monitor={monitor}
          heartbeat={data.heartbeat}
          url={monitor.heartbeatUrl}
          rotate={permits(ctx, 'monitor.rotate-heartbeat') ? rotateHeartbeatAction.bind(null, id) : null}
          now={now}
        />
      ) : null}
      {data.members ? <GroupPanel monitor={monitor} members={data.members} /> : null}
    </>
  );
}

/** Why a monitor has its status: the reason of its last change, or what its regions see if data only returned then. */
function formatWhy({ change, votes }: StandingDetails, names: RegionNames): string | null {
  const seen = change?.from === 'unknown' ? summarizeVotes(votes, names) : null;
  return seen ?? (change && formatTransition(change, names).why);
}

function dateOf(instant: string | null): Date | null {
  return instant === null ? null : new Date(instant);
}
