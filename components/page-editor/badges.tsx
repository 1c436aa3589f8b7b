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
import { DOMAIN_WORDS, STANDING_WORDS } from './page-values';

type Look = { Icon: LucideIcon; colour: string };

const STANDINGS: Record<PageStanding, Look> = {
  operational: { Icon: CircleCheck, colour: 'text-good' },
  degraded: { Icon: TriangleAlert, colour: 'text-slow' },
  down: { Icon: CircleX, colour: 'text-bad' },
  pending: { Icon: CircleDashed, colour: 'text-muted' },
  noData: { Icon: Unplug, colour: 'text-slow' },
  paused: { Icon: CirclePause, colour: 'text-muted' },
  empty: { Icon: CircleDashed, colour: 'text-muted' },
};

const DOMAINS: Record<DomainStatus['status'], Look> = {
  none: { Icon: CircleDashed, colour: 'text-muted' },
  pending: { Icon: CircleDashed, colour: 'text-slow' },
  verified: { Icon: CircleCheck, colour: 'text-good' },
  lost: { Icon: TriangleAlert, colour: 'text-bad' },
  taken: { Icon: CircleX, colour: 'text-bad' },
};

/** How the monitors of a page are, as icon and word. */
export function StandingBadge({ standing }: { standing: PageStanding }) {
  return <Badge {...STANDINGS[standing]} word={STANDING_WORDS[standing]} />;
}

/** What became of a page's domain, as icon and word. */
export function DomainBadge({ status }: { status: DomainStatus['status'] }) {
  return <Badge {...DOMAINS[status]} word={DOMAIN_WORDS[status]} />;
}

/** Whether everybody can see a page. */
export function PublishedBadge({ isPublished }: { isPublished: boolean }) {
  return isPublished ? (
    <Badge Icon={Globe} colour="text-good" word="Published" />
  ) : (
    <Badge Icon={PencilRuler} colour="text-muted" word="Draft" />
  );
}

function Badge({ word, Icon, colour }: Look & { word: string }) {
  return (
    <span className={`inline-flex items-center gap-1.5 align-middle font-medium whitespace-nowrap ${colour}`}>
      <Icon className="size-4 shrink-0" aria-hidden="true" />
      {word}
    </span>
  );
}
