import { stopDownClock } from './silence';
import type { MonitorState, MonitorStatus } from './types';

/** The state of a monitor that enters maintenance at `now`: downtime stops accumulating. */
export function enterMaintenance(state: MonitorState, now: number): MonitorState {
  return stopDownClock(state, now);
}

/** The state after a result during maintenance: keeps what people were notified of, and its downtime. Nothing has to be confirmed. */
export function keepLastNotified(before: MonitorState, after: MonitorState): MonitorState {
  const { lastEvent, downSince, downMs } = before;
  return { ...after, lastEvent, downSince, downMs, downFrom: null, confirmation: null };
}

/**
 * The state of a monitor that leaves maintenance at `now`: the status people were last notified of, with the
 * current verdicts and counters. The next tick or result applies any difference, notifies, and never dates it
 * before `now`.
 */
export function leaveMaintenance(
  state: MonitorState,
  lastNotified: MonitorStatus,
  now: number,
): MonitorState {
  const wasDown = lastNotified === 'down';
  const wasBad = wasDown || lastNotified === 'degraded';
  return {
    ...state,
    status: lastNotified,
    since: now,
    floor: now,
    downFrom: wasDown ? now : null,
    downSince: wasBad ? state.downSince : null,
    downMs: wasBad ? state.downMs : 0,
  };
}
