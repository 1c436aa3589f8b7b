import { formatDay } from '@/components/ui/format-local';
import { formatDuration } from '@/lib/core/duration';
import type { DayBar } from '@/lib/schemas/stats';
import { formatPercent } from '../percent';

const WORDS = { operational: 'operational', degraded: 'degraded at times', down: 'down at times' } as const;

/** `20 Nov 2026: down for 14m, 99.02% uptime`, days being of UTC. */
export function sayDay({ date, status, uptimePercentage, downtime }: DayBar): string {
  const day = formatDay(new Date(`${date}T00:00:00Z`), 'UTC', true);
  if (status === null || uptimePercentage === null) return `${day}: nothing is known`;
  if (status === 'operational') return `${day}: operational`;
  const what = downtime > 0 ? `down for ${formatDuration(downtime)}` : WORDS[status];
  return `${day}: ${what}, ${formatPercent(uptimePercentage)} uptime`;
}

/** `88 of 90 days without downtime`; days of which nothing is known count for neither. */
export function sayDays(days: readonly DayBar[]): string {
  const known = days.filter(({ status }) => status !== null);
  if (known.length === 0) return 'Nothing is known yet';
  const good = known.filter(({ status }) => status !== 'down').length;
  return `${good} of ${known.length} ${known.length === 1 ? 'day' : 'days'} without downtime`;
}
