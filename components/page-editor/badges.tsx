import { CircleCheck, CircleDashed, CircleX, Globe, PencilRuler, TriangleAlert } from 'lucide-react';
import { STANDING_STYLES } from '@/components/monitors/standing-badge';
import { IconLabel, type IconLabelStyle } from '@/components/ui/icon-label';
import type { PageState } from '@/lib/schemas/status-pages/page-state';
import type { DomainStatus } from '@/lib/schemas/status-pages/status-page';

const STATES: Record<PageState, IconLabelStyle> = {
  ...STANDING_STYLES,
  partialOutage: { ...STANDING_STYLES.degraded, label: 'Partial outage' },
  majorOutage: { ...STANDING_STYLES.down, label: 'Major outage' },
  pending: { ...STANDING_STYLES.pending, label: 'Not checked yet' },
  noData: { ...STANDING_STYLES.noData, label: 'Data missing' },
  unknown: { ...STANDING_STYLES.noData, label: 'No current data' },
  empty: { label: 'No monitors', Icon: CircleDashed, color: 'text-muted' },
};

const DOMAINS: Record<DomainStatus['status'], IconLabelStyle> = {
  none: { label: 'None', Icon: CircleDashed, color: 'text-muted' },
  pending: { label: 'Waiting for DNS', Icon: CircleDashed, color: 'text-slow' },
  verified: { label: 'Verified', Icon: CircleCheck, color: 'text-good' },
  lost: { label: 'Lost', Icon: TriangleAlert, color: 'text-bad' },
  taken: { label: 'Taken', Icon: CircleX, color: 'text-bad' },
};

/** What a page shows of the present. */
export function StateBadge({ state }: { state: PageState }) {
  return <IconLabel {...STATES[state]} />;
}

/** The status of a page's domain. */
export function DomainBadge({ status }: { status: DomainStatus['status'] }) {
  return <IconLabel {...DOMAINS[status]} />;
}

export function PublishedBadge({ isPublished }: { isPublished: boolean }) {
  return isPublished ? (
    <IconLabel Icon={Globe} color="text-good" label="Published" />
  ) : (
    <IconLabel Icon={PencilRuler} color="text-muted" label="Draft" />
  );
}
