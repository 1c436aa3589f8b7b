import type { AggregateStatus } from './decide-status';
import { stopDownClock } from './silence';
import type { MonitorEvent, MonitorState } from './types';

/** The event of a change to `to`. pending → operational is only worth one after a bad status. */
export function eventFor(state: MonitorState, to: AggregateStatus): MonitorEvent | null {
  if (to === 'down') return 'monitor.down';
  if (to === 'degraded') return 'monitor.degraded';
  const wasBad = state.lastEvent === 'monitor.down' || state.lastEvent === 'monitor.degraded';
  return state.status !== 'pending' || wasBad ? 'monitor.up' : null;
}

/** The state with another status since a moment. */
export function enterStatus(state: MonitorState, to: AggregateStatus, since: number): MonitorState {
  const entered = { ...stopDownClock(state, since), status: to, since, floor: since };
  if (to !== 'down') return entered;
  return { ...entered, downFrom: since, downSince: state.downSince ?? since };
}

/** The state once the event of a change was recorded: after a recovery, no downtime is left to report. */
export function settleStatus(
  entered: MonitorState,
  to: AggregateStatus,
  event: MonitorEvent | null,
): MonitorState {
  const settled = to === 'operational' ? { ...entered, downSince: null, downMs: 0 } : entered;
  return { ...settled, lastEvent: event ?? entered.lastEvent };
}
