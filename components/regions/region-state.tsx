import { CircleCheck, CircleDashed, Unplug } from 'lucide-react';
import { IconLabel } from '@/components/ui/icon-label';
import { Moment } from '@/components/ui/time/moment';
import type { Region } from '@/lib/schemas/monitor/region';

const STYLES = {
  active: { label: 'Active', Icon: CircleCheck, color: 'text-good' },
  silent: { label: 'Silent', Icon: Unplug, color: 'text-bad' },
  unserved: { label: 'Not served yet', Icon: CircleDashed, color: 'text-muted' },
} as const;

/** Whether a region is served, or since when it is not. */
export function RegionState({
  region: { workers, lastSeenAt },
  now,
}: {
  region: Pick<Region, 'workers' | 'lastSeenAt'>;
  now: string;
}) {
  if (workers > 0) return <IconLabel {...STYLES.active} />;
  if (lastSeenAt === null) return <IconLabel {...STYLES.unserved} />;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <IconLabel {...STYLES.silent} />
      <span className="text-muted">
        last served <Moment at={lastSeenAt} now={now} />
      </span>
    </span>
  );
}

/** Whether a probe reports. */
export function ProbeState({ isLive }: { isLive: boolean }) {
  return <IconLabel {...(isLive ? STYLES.active : STYLES.silent)} weight="font-normal" />;
}
