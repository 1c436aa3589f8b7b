import type { PublicMonitor } from '@/lib/schemas/status-pages/status-page';

/** The state of a monitor as visitors see it. */
export type State = PublicMonitor['status'] | 'paused' | 'maintenance' | 'noData';

export type Tone = 'good' | 'slow' | 'bad' | 'info' | 'rest';

export const TONE_OF: Record<State, Tone> = {
  operational: 'good',
  degraded: 'slow',
  down: 'bad',
  pending: 'rest',
  noData: 'rest',
  paused: 'rest',
  maintenance: 'info',
};

/** What the state of a monitor depends on. */
export type StateFields = Pick<PublicMonitor, 'enabled' | 'status' | 'inMaintenance' | 'noDataSince'>;

/** Paused and maintenance take precedence over the status. */
export function stateOf({ enabled, status, inMaintenance, noDataSince }: StateFields): State {
  if (!enabled) return 'paused';
  if (inMaintenance) return 'maintenance';
  return noDataSince === null ? status : 'noData';
}
