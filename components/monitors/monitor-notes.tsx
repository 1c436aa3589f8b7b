import { Activity, Siren, Wrench } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { formatInstant } from '@/components/maintenance/repeat';
import { RegionList } from '@/components/monitors/regions/region-names';
import { Banner } from '@/components/ui/banner';
import { LocalTime, Moment } from '@/components/ui/time/moment';
import { isCalled, isGroup, isProbed } from '@/lib/checks/types';
import type { StandingDetails } from '@/lib/domain/monitors/read-standings';
import type { Monitor } from '@/lib/schemas/monitor';

type Props = {
  monitor: Monitor;
  /** Regions that cannot run its checks at all, and why; null if all can. */
  unavailable: { regions: string[]; reason: string } | null;
  /** The organization's regions without a worker. */
  unserved: readonly string[];
  mayWrite: boolean;
  now: Date;
};

/** Warns if the monitor is not checked, not checked yet, or not from every region, and if it flaps. */
export function MonitorNotes(props: Props) {
  const { monitor } = props;
  return (
    <>
      <CheckNote {...props} />
      {monitor.silentRegions.length > 0 ? <SilenceNote {...props} /> : null}
      {isGroup(monitor) && monitor.noDataSince !== null ? (
        <NoMemberNote since={monitor.noDataSince} now={props.now.toISOString()} />
      ) : null}
      {monitor.flappingSince === null ? null : (
        <FlappingNote since={monitor.flappingSince} now={props.now.toISOString()} />
      )}
    </>
  );
}

function FlappingNote({ since, now }: { since: string; now: string }) {
  return (
    <Banner tone="slow" Icon={Activity}>
      <strong className="font-semibold">
        Flapping since <LocalTime at={since} now={now} />
      </strong>
      : its status changed five times within 10 minutes. Alerts resume once it has been stable for 10 minutes.
    </Banner>
  );
}

function CheckNote({ monitor, unavailable, mayWrite }: Props) {
  const { enabled, lastCheckedAt, status, silentRegions, regions } = monitor;
  if (!enabled) {
    return (
      <Banner tone="note">
        Paused: no checks, no alerts, and this time does not count toward uptime.
        {mayWrite && isProbed(monitor) ? ' Resuming runs a check right away.' : ''}
      </Banner>
    );
  }
  if (unavailable) {
    return (
      <Banner tone="slow">
        Checks can’t run from <RegionList ids={unavailable.regions} isSentence />: {unavailable.reason}. Those
        results are ignored.
      </Banner>
    );
  }
  if (status === 'pending' && lastCheckedAt === null && silentRegions.length < regions.length) {
    return <Banner tone="note">{formatAwaited(monitor)} This page updates automatically.</Banner>;
  }
  return null;
}

function formatAwaited(monitor: Monitor): string {
  if (isProbed(monitor)) return 'The first check is running.';
  return isCalled(monitor) ? 'Waiting for the first heartbeat.' : 'Waiting for the first status of a member.';
}

/** Nothing is known about a group while no member counts. */
function NoMemberNote({ since, now }: { since: string; now: string }) {
  return (
    <Banner tone="slow">
      <strong className="font-semibold">
        No data since <LocalTime at={since} now={now} />.
      </strong>{' '}
      Its members are all pending, paused, in maintenance or without data. This time counts as unknown until
      one of them counts again.
    </Banner>
  );
}

/** Which regions report no data and why, and what that means for the status. */
function SilenceNote({ monitor, unserved, now }: Props) {
  const { regions, silentRegions, noDataSince, status } = monitor;
  const reporting = regions.filter((region) => !silentRegions.includes(region));
  const workerless = silentRegions.filter((region) => unserved.includes(region));
  const overdue = silentRegions.filter((region) => !unserved.includes(region));
  return (
    <Banner tone="slow">
      <strong className="font-semibold">
        {noDataSince === null ? (
          <>
            No data from <RegionList ids={silentRegions} isSentence />.
          </>
        ) : (
          <>
            No data since <LocalTime at={noDataSince} now={now.toISOString()} />.
          </>
        )}
      </strong>
      {workerless.length > 0 ? (
        <>
          {' '}
          No worker is running for <RegionList ids={workerless} isSentence />.
        </>
      ) : null}
      {overdue.length > 0 ? (
        <>
          {' '}
          Results from <RegionList ids={overdue} isSentence /> are overdue.
        </>
      ) : null}
      {reporting.length > 0 ? (
        <>
          {' '}
          Until they report again, the status is based on <RegionList ids={reporting} isSentence /> alone.
        </>
      ) : (
        ` ${status === 'pending' ? 'No checks have run yet' : `The last known status is ${status}`}. This time counts as unknown until data returns.`
      )}
    </Banner>
  );
}

type MaintenanceNoteProps = {
  status: Monitor['status'];
  window: { id: string; title: string; until: string; timeZone: string };
};

/** Shows until when a monitor is in maintenance, and what its checks report. */
export function MaintenanceNote({ status, window }: MaintenanceNoteProps) {
  return (
    <section aria-label="Maintenance">
      <Banner tone="note" Icon={Wrench}>
        <span className="font-medium">
          In maintenance until {formatInstant(new Date(window.until), window.timeZone)} {window.timeZone}
        </span>
        <span className="ml-3 text-muted">
          <Link
            prefetch={false}
            href={`/maintenance/${window.id}`}
            className="underline underline-offset-2 hover:text-ink"
          >
            {window.title}
          </Link>
          . Checks continue (currently {status}), but no alerts are sent.
        </span>
      </Banner>
    </section>
  );
}

type Incident = NonNullable<StandingDetails['incident']>;

type OpenIncidentProps = {
  incident: Incident;
  /** A button for those who may acknowledge it. */
  children?: ReactNode;
  now: Date;
};

/** The open incident that a monitor caused. */
export function OpenIncident({ incident, children, now }: OpenIncidentProps) {
  const { acknowledgedAt, acknowledgedBy } = incident;
  return (
    <section aria-label="Open incident">
      <Banner tone={incident.severity === 'minor' ? 'slow' : 'bad'} Icon={Siren}>
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <p className="min-w-0">
            <Link
              prefetch={false}
              href={`/incidents/${incident.id}`}
              className="mr-3 font-medium underline underline-offset-2"
            >
              {incident.title}
            </Link>
            Open incident, {incident.severity}, {incident.status}, started{' '}
            <Moment at={incident.startedAt} now={now.toISOString()} />
            {acknowledgedAt === null ? null : (
              <span className="block font-medium text-ink wrap-anywhere">
                Acknowledged by {acknowledgedBy}, <Moment at={acknowledgedAt} now={now.toISOString()} />
              </span>
            )}
          </p>
          {children}
        </div>
      </Banner>
    </section>
  );
}
