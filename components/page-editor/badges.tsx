import {
  CircleCheck,
  CircleDashed,
  CirclePause,
  CircleX,
  Globe,
  type LucideIcon,
  PencilRuler,
  TriangleAlert,
  Unplug,
} from 'lucide-react';
import type { PageStanding } from '@/lib/domain/status-pages/aggregate-status';
import type { DomainStatus } from '@/lib/schemas/status-page';
import { DOMAIN_LABELS, STANDING_LABELS } from './page-values';

type BadgeStyle = { Icon: LucideIcon; color: string };

const STANDINGS: Record<PageStanding, BadgeStyle> = {
  operational: { Icon: CircleCheck, color: 'text-good' },
  degraded: { Icon: TriangleAlert, color: 'text-slow' },
  down: { Icon: CircleX, color: 'text-bad' },
  pending: { Icon: CircleDashed, color: 'text-muted' },
  noData: { Icon: Unplug, color: 'text-slow' },
  paused: { Icon: CirclePause, color: 'text-muted' },
  empty: { Icon: CircleDashed, color: 'text-muted' },
};

const DOMAINS: Record<DomainStatus['status'], BadgeStyle> = {
  none: { Icon: CircleDashed, color: 'text-muted' },
  pending: { Icon: CircleDashed, color: 'text-slow' },
  verified: { Icon: CircleCheck, color: 'text-good' },
  lost: { Icon: TriangleAlert, color: 'text-bad' },
  taken: { Icon: CircleX, color: 'text-bad' },
};

/** The combined status of a page's monitors. */
export function StandingBadge({ standing }: { standing: PageStanding }) {
  return <Badge {...STANDINGS[standing]} label={STANDING_LABELS[standing]} />;
}

/** The status of a page's domain. */
export function DomainBadge({ status }: { status: DomainStatus['status'] }) {
  return <Badge {...DOMAINS[status]} label={DOMAIN_LABELS[status]} />;
}

export function PublishedBadge({ isPublished }: { isPublished: boolean }) {
  return isPublished ? (
    <Badge Icon={Globe} color="text-good" label="Published" />
  ) : (
    <Badge Icon={PencilRuler} color="text-muted" label="Draft" />
  );
}

function Badge({ label, Icon, color }: BadgeStyle & { label: string }) {
  return (
    <span className={`inline-flex items-center gap-1.5 align-middle font-medium whitespace-nowrap ${color}`}>
      <Icon className="size-4 shrink-0" aria-hidden="true" />
      {label}
    </span>
  );
}
