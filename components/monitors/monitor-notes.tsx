import { Banner } from '@/components/ui/banner';
import { LocalTime } from '@/components/ui/local-time';
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
