import { Siren, Wrench } from 'lucide-react';
import Link from 'next/link';
import { formatSpan } from '@/components/maintenance/repeat';
import { Banner } from '@/components/ui/banner';
import { LocalTime } from '@/components/ui/local-time';
import { Moment } from '@/components/ui/moment';
import type { Monitor } from '@/lib/schemas/monitor';

type Props = {
  monitor: Monitor;
  /** Regions that cannot do its checks at all, and why; null where all can. */
  unavailable: { regions: string[]; reason: string } | null;
  /** Regions of the organization without a worker. */
  unserved: readonly string[];
  mayWrite: boolean;
  now: Date;
};

/** What has to be known before anything on the page is read: that nothing is checked, not yet, or not from everywhere. */
export function MonitorNotes(props: Props) {
  const { monitor } = props;
  return (
    <>
      <CheckNote {...props} />
      {monitor.silentRegions.length > 0 ? <SilenceNote {...props} /> : null}
    </>
  );
}

function CheckNote({ monitor, unavailable, mayWrite }: Props) {
  const { enabled, lastCheckedAt, status, silentRegions, regions } = monitor;
  if (!enabled) {
    return (
      <Banner tone="note">
        Paused: it is not checked, nobody is alerted, and the time counts for no uptime.
        {mayWrite ? ' Resuming starts with a check at once.' : ''}
      </Banner>
    );
  }
  if (unavailable) {
    return (
      <Banner tone="slow">
        The worker for {unavailable.regions.join(', ')} cannot do these checks: {unavailable.reason}. They
        count for nothing until it can.
      </Banner>
    );
  }
  if (status === 'pending' && lastCheckedAt === null && silentRegions.length < regions.length) {
    return <Banner tone="note">The first check is on its way. This page follows by itself.</Banner>;
  }
  return null;
}

/** Which regions deliver no data and why, and what the status then means. */
function SilenceNote({ monitor, unserved, now }: Props) {
  const { regions, silentRegions, noDataSince, status } = monitor;
  const reporting = regions.filter((region) => !silentRegions.includes(region));
  const workerless = silentRegions.filter((region) => unserved.includes(region));
  const overdue = silentRegions.filter((region) => !unserved.includes(region));
  return (
    <Banner tone="slow">
      <strong className="font-semibold">
        {noDataSince === null ? (
          `No data from ${list(silentRegions)}.`
        ) : (
          <>
            No data since <LocalTime at={noDataSince} now={now.toISOString()} />.
          </>
        )}
      </strong>
      {workerless.length > 0 ? ` No worker is running in ${list(workerless)}.` : ''}
      {overdue.length > 0 ? ` Results from ${list(overdue)} are overdue.` : ''}
      {reporting.length > 0
        ? ` ${list(reporting)} alone ${reporting.length === 1 ? 'decides' : 'decide'} the status meanwhile.`
        : ` ${status === 'pending' ? 'Nothing has been checked yet' : `The last known status is ${status}`}. The time counts as unknown until data returns.`}
    </Banner>
  );
}

const list = (regions: readonly string[]) => new Intl.ListFormat('en').format(regions);

/** Tells that a worker is cut off from its own network, so that nobody takes the silence for good news. */
export function CutOffNote({ regions, now }: { regions: { region: string; since: Date }[]; now: Date }) {
  const [first] = regions;
  if (!first) return null;
  return (
    <Banner tone="slow">
      The worker for {regions.map(({ region }) => region).join(', ')} has been cut off from its own network
      since <Moment at={first.since.toISOString()} now={now.toISOString()} />. Its results are dropped, and
      statuses stay as they were.
    </Banner>
  );
}

type MaintenanceNoteProps = {
  status: Monitor['status'];
  window: { id: string; title: string; until: string; timeZone: string };
};

/** That a monitor is in maintenance, until when, and what its checks say meanwhile. */
export function MaintenanceNote({ status, window }: MaintenanceNoteProps) {
  const [until] = formatSpan(window.until, window.until, window.timeZone).split(' – ');
  return (
    <section
      aria-label="Maintenance"
      className="flex items-start gap-3 rounded-lg border border-line bg-sunken px-4 py-3"
    >
      <Wrench className="mt-0.5 size-4 shrink-0 text-accent" aria-hidden="true" />
      <div className="flex min-w-0 flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className="font-medium">
          In maintenance until {until} {window.timeZone}
        </span>
        <span className="text-sm text-muted">
          <Link
            prefetch={false}
            href={`/maintenance/${window.id}`}
            className="underline underline-offset-2 hover:text-ink"
          >
            {window.title}
          </Link>
          . Checks go on and say {status}; nobody is alerted.
        </span>
      </div>
    </section>
  );
}

type Incident = { id: string; title: string; status: string; severity: string; startedAt: Date };

/** The incident that is open because of a monitor. */
export function OpenIncident({ incident, now }: { incident: Incident; now: Date }) {
  return (
    <section
      aria-label="Open incident"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border border-bad/30 bg-bad-wash px-4 py-3 text-bad"
    >
      <Siren className="size-4 shrink-0" aria-hidden="true" />
      <Link
        prefetch={false}
        href={`/incidents/${incident.id}`}
        className="font-medium underline underline-offset-2"
      >
        {incident.title}
      </Link>
      <span className="text-sm">
        Open incident, {incident.severity}, {incident.status}, began{' '}
        <Moment at={incident.startedAt.toISOString()} now={now.toISOString()} />
      </span>
    </section>
  );
}
