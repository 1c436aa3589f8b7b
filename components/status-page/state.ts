import type { PublicMonitor } from '@/lib/schemas/status-page';

/** Where a monitor stands, for visitors. */
export type State = PublicMonitor['status'] | 'paused' | 'maintenance';

export type Tone = 'good' | 'slow' | 'bad' | 'info' | 'rest';

export const TONE_OF: Record<State, Tone> = {
  operational: 'good',
  degraded: 'slow',
  down: 'bad',
  pending: 'rest',
  paused: 'rest',
  maintenance: 'info',
};

/** Work that was announced explains whatever is seen meanwhile. */
export function stateOf({
  enabled,
  status,
  inMaintenance,
}: Pick<PublicMonitor, 'enabled' | 'status' | 'inMaintenance'>): State {
  if (!enabled) return 'paused';
  return inMaintenance ? 'maintenance' : status;
}
