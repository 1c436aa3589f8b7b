import { Banner } from '@/components/ui/banner';
import type { Monitor } from '@/lib/schemas/monitor';

type Props = {
  monitor: Monitor;
  /** Regions that cannot do its checks at all, and why; null where all can. */
  unavailable: { regions: string[]; reason: string } | null;
  mayWrite: boolean;
};

/** What has to be known before anything on the page is read: that nothing is checked, not yet, or not from everywhere. */
export function MonitorNotes({ monitor, unavailable, mayWrite }: Props) {
  const { enabled, lastCheckedAt, status } = monitor;
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
  if (status === 'pending' && lastCheckedAt === null) {
    return <Banner tone="note">The first check is on its way. This page follows by itself.</Banner>;
  }
  return null;
}
