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
export function stateOf(
  { id, enabled, status }: Pick<PublicMonitor, 'id' | 'enabled' | 'status'>,
  inMaintenance: ReadonlySet<string>,
): State {
  if (!enabled) return 'paused';
  return inMaintenance.has(id) ? 'maintenance' : status;
}
