import { CircleCheck, CircleDashed, CirclePause, CircleX, TriangleAlert, Unplug, Wrench } from 'lucide-react';
import { cn } from '@/components/ui/cn';
import type { Standing } from './standing';

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
