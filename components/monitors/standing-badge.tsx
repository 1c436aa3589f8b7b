import { CircleCheck, CircleDashed, CirclePause, CircleX, TriangleAlert, Unplug, Wrench } from 'lucide-react';
import { IconLabel, type LabelLook } from '@/components/ui/icon-label';
import type { Monitor } from '@/lib/schemas/monitor';

/**
 * The status shown for a monitor, which also covers missing data, maintenance, and pauses. Worst first, as in the list.
 * `count` follows the number of monitors in a summary.
 */
export const STANDING_STYLES = {
  down: { label: 'Down', count: 'down', Icon: CircleX, color: 'text-bad' },
  degraded: { label: 'Degraded', count: 'degraded', Icon: TriangleAlert, color: 'text-slow' },
  noData: { label: 'No data', count: 'without data', Icon: Unplug, color: 'text-slow' },
  pending: { label: 'Pending', count: 'pending', Icon: CircleDashed, color: 'text-muted' },
  maintenance: { label: 'Maintenance', count: 'in maintenance', Icon: Wrench, color: 'text-accent' },
  operational: { label: 'Operational', count: null, Icon: CircleCheck, color: 'text-good' },
  paused: { label: 'Paused', count: 'paused', Icon: CirclePause, color: 'text-muted' },
} as const;

export type Standing = keyof typeof STANDING_STYLES;

export const STANDINGS = Object.keys(STANDING_STYLES) as Standing[];

export function StandingBadge({ standing, ...look }: { standing: Standing } & LabelLook) {
  return <IconLabel {...STANDING_STYLES[standing]} {...look} />;
}

export type StandingFields = Pick<Monitor, 'status' | 'enabled' | 'maintenance' | 'noDataSince'>;

export function standingOf({ status, enabled, maintenance, noDataSince }: StandingFields): Standing {
  if (!enabled) return 'paused';
  if (maintenance) return 'maintenance';
  return noDataSince === null ? status : 'noData';
}

/** The number of monitors per standing, also of standings without any. */
export function countStandings(monitors: readonly StandingFields[]): ReadonlyMap<Standing, number> {
  const counts = new Map<Standing, number>(STANDINGS.map((standing) => [standing, 0]));
  for (const monitor of monitors) {
    const standing = standingOf(monitor);
    counts.set(standing, (counts.get(standing) ?? 0) + 1);
  }
  return counts;
}

/** `12 monitors · 1 down`; operational monitors are not counted. */
export function summarize(monitors: readonly StandingFields[]): string {
  const notable = [...countStandings(monitors)].flatMap(([standing, n]) => {
    const { count } = STANDING_STYLES[standing];
    return count === null || n === 0 ? [] : [`${n} ${count}`];
  });
  const total = `${monitors.length} ${monitors.length === 1 ? 'monitor' : 'monitors'}`;
  return [total, ...(notable.length > 0 ? notable : ['all operational'])].join(' · ');
}
