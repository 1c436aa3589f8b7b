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

export function standingOf({ status, enabled, maintenance, noDataSince }: Stands): Standing {
  if (!enabled) return 'paused';
  if (maintenance) return 'maintenance';
  return noDataSince === null ? status : 'noData';
}

const SUMMARY_WORDS = {
  down: 'down',
  degraded: 'degraded',
  noData: 'without data',
  pending: 'pending',
  maintenance: 'in maintenance',
  paused: 'paused',
} as const;

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
