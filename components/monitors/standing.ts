import type { Monitor } from '@/lib/schemas/monitor';

/** Where a monitor stands, for people: its status, or that it is in maintenance or paused. Trouble first, the order of the list. */
export const STANDINGS = ['down', 'degraded', 'pending', 'maintenance', 'operational', 'paused'] as const;

export type Standing = (typeof STANDINGS)[number];

type Stands = Pick<Monitor, 'status' | 'enabled' | 'maintenance'>;

export function standingOf({ status, enabled, maintenance }: Stands): Standing {
  if (!enabled) return 'paused';
  return maintenance ? 'maintenance' : status;
}

/** `12 monitors · 1 down`; standings without a monitor, and the good ones, are left out. */
export function summarize(monitors: Stands[]): string {
  const count = (standing: Standing) => monitors.filter((each) => standingOf(each) === standing).length;
  const notable = (['down', 'degraded', 'pending', 'maintenance', 'paused'] as const)
    .map((standing) => ({ standing, n: count(standing) }))
    .filter(({ n }) => n > 0)
    .map(({ standing, n }) => `${n} ${standing === 'maintenance' ? 'in maintenance' : standing}`);
  const total = `${monitors.length} ${monitors.length === 1 ? 'monitor' : 'monitors'}`;
  return [total, ...(notable.length > 0 ? notable : ['all operational'])].join(' · ');
}
