import { CircleCheck, CircleDashed, CirclePause, CircleX, TriangleAlert, Unplug, Wrench } from 'lucide-react';
import { cn } from '@/components/ui/cn';
import type { Monitor } from '@/lib/schemas/monitor';

/**
 * Where a monitor stands, for people: its status, or that it is without data, in maintenance or paused. Trouble first, the
 * order of the list.
 */
export const STANDINGS = [
  'down',
  'degraded',
  'noData',
  'pending',
  'maintenance',
  'operational',
  'paused',
] as const;

export type Standing = (typeof STANDINGS)[number];

type Stands = Pick<Monitor, 'status' | 'enabled' | 'maintenance' | 'noDataSince'>;

const SUMMARY_WORDS = {
  down: 'down',
  degraded: 'degraded',
  noData: 'without data',
  pending: 'pending',
  maintenance: 'in maintenance',
  paused: 'paused',
} as const;

/** How a standing is said and drawn. */
export const STANDING_LOOKS = {
  operational: { word: 'Operational', Icon: CircleCheck, colour: 'text-good' },
  degraded: { word: 'Degraded', Icon: TriangleAlert, colour: 'text-slow' },
  down: { word: 'Down', Icon: CircleX, colour: 'text-bad' },
  noData: { word: 'No data', Icon: Unplug, colour: 'text-slow' },
  pending: { word: 'Pending', Icon: CircleDashed, colour: 'text-muted' },
  maintenance: { word: 'Maintenance', Icon: Wrench, colour: 'text-accent' },
  paused: { word: 'Paused', Icon: CirclePause, colour: 'text-muted' },
} as const;

/** A standing as icon and word; the colour only repeats them. */
export function StandingBadge({ standing, className }: { standing: Standing; className?: string }) {
  const { word, Icon, colour } = STANDING_LOOKS[standing];
  return (
    <span
      className={cn(
        'inline-flex items-center gap-1.5 align-middle font-medium whitespace-nowrap',
        colour,
        className,
      )}
    >
      <Icon className="size-4 shrink-0" aria-hidden="true" />
      {word}
    </span>
  );
}

export function standingOf({ status, enabled, maintenance, noDataSince }: Stands): Standing {
  if (!enabled) return 'paused';
  if (maintenance) return 'maintenance';
  return noDataSince === null ? status : 'noData';
}

/** `12 monitors · 1 down`; standings without a monitor, and the good ones, are left out. */
export function summarize(monitors: Stands[]): string {
  const count = (standing: Standing) => monitors.filter((each) => standingOf(each) === standing).length;
  const notable = (['down', 'degraded', 'noData', 'pending', 'maintenance', 'paused'] as const)
    .map((standing) => ({ standing, n: count(standing) }))
    .filter(({ n }) => n > 0)
    .map(({ standing, n }) => `${n} ${SUMMARY_WORDS[standing]}`);
  const total = `${monitors.length} ${monitors.length === 1 ? 'monitor' : 'monitors'}`;
  return [total, ...(notable.length > 0 ? notable : ['all operational'])].join(' · ');
}
