import { CircleCheck, CircleDashed, CirclePause, CircleX, TriangleAlert, Unplug, Wrench } from 'lucide-react';
import { IconLabel } from '@/components/ui/icon-label';
import type { Monitor } from '@/lib/schemas/monitor';

/** The status shown for a monitor, which also covers missing data, maintenance, and pauses. Worst first, as in the list. */
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

export const STANDING_STYLES = {
  operational: { label: 'Operational', Icon: CircleCheck, color: 'text-good' },
  degraded: { label: 'Degraded', Icon: TriangleAlert, color: 'text-slow' },
  down: { label: 'Down', Icon: CircleX, color: 'text-bad' },
  noData: { label: 'No data', Icon: Unplug, color: 'text-slow' },
  pending: { label: 'Pending', Icon: CircleDashed, color: 'text-muted' },
  maintenance: { label: 'Maintenance', Icon: Wrench, color: 'text-accent' },
  paused: { label: 'Paused', Icon: CirclePause, color: 'text-muted' },
} as const;

export function StandingBadge({ standing, className }: { standing: Standing; className?: string }) {
  return <IconLabel {...STANDING_STYLES[standing]} className={className} />;
}

type StandingFields = Pick<Monitor, 'status' | 'enabled' | 'maintenance' | 'noDataSince'>;

export function standingOf({ status, enabled, maintenance, noDataSince }: StandingFields): Standing {
  if (!enabled) return 'paused';
  if (maintenance) return 'maintenance';
  return noDataSince === null ? status : 'noData';
}

const SUMMARY_LABELS = {
  down: 'down',
  degraded: 'degraded',
  noData: 'without data',
  pending: 'pending',
  maintenance: 'in maintenance',
  paused: 'paused',
} as const;

/** `12 monitors · 1 down`; operational monitors are not counted. */
export function summarize(monitors: StandingFields[]): string {
  const count = (standing: string) => monitors.filter((each) => standingOf(each) === standing).length;
  const notable = Object.entries(SUMMARY_LABELS)
    .map(([standing, label]) => ({ label, n: count(standing) }))
    .filter(({ n }) => n > 0)
    .map(({ label, n }) => `${n} ${label}`);
  const total = `${monitors.length} ${monitors.length === 1 ? 'monitor' : 'monitors'}`;
  return [total, ...(notable.length > 0 ? notable : ['all operational'])].join(' · ');
}
