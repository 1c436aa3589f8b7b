import {
  CircleCheck,
  CircleDashed,
  CirclePause,
  CircleX,
  Globe,
  PencilRuler,
  TriangleAlert,
  Unplug,
} from 'lucide-react';
import { IconLabel, type IconLabelStyle } from '@/components/ui/icon-label';
import type { PageStanding } from '@/lib/domain/status-pages/aggregate-status';
import type { DomainStatus } from '@/lib/schemas/status-pages/status-page';
import { DOMAIN_LABELS, STANDING_LABELS } from './page-values';

type Style = Omit<IconLabelStyle, 'label'>;

const STANDINGS: Record<PageStanding, Style> = {
  operational: { Icon: CircleCheck, color: 'text-good' },
  degraded: { Icon: TriangleAlert, color: 'text-slow' },
  down: { Icon: CircleX, color: 'text-bad' },
  pending: { Icon: CircleDashed, color: 'text-muted' },
  noData: { Icon: Unplug, color: 'text-slow' },
  paused: { Icon: CirclePause, color: 'text-muted' },
  empty: { Icon: CircleDashed, color: 'text-muted' },
};

const DOMAINS: Record<DomainStatus['status'], Style> = {
  none: { Icon: CircleDashed, color: 'text-muted' },
  pending: { Icon: CircleDashed, color: 'text-slow' },
  verified: { Icon: CircleCheck, color: 'text-good' },
  lost: { Icon: TriangleAlert, color: 'text-bad' },
  taken: { Icon: CircleX, color: 'text-bad' },
};

/** The combined status of a page's monitors. */
export function StandingBadge({ standing }: { standing: PageStanding }) {
  return <IconLabel {...STANDINGS[standing]} label={STANDING_LABELS[standing]} />;
}

/** The status of a page's domain. */
export function DomainBadge({ status }: { status: DomainStatus['status'] }) {
  return <IconLabel {...DOMAINS[status]} label={DOMAIN_LABELS[status]} />;
}

export function PublishedBadge({ isPublished }: { isPublished: boolean }) {
  return isPublished ? (
    <IconLabel Icon={Globe} color="text-good" label="Published" />
  ) : (
    <IconLabel Icon={PencilRuler} color="text-muted" label="Draft" />
  );
}
