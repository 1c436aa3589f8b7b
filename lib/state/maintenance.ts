import { stopDownClock } from './known-time';
import type { MonitorState, MonitorStatus } from './types';

/** The state of a monitor that goes into maintenance at `now`: time down stops counting. */
export function enterMaintenance(state: MonitorState, now: number): MonitorState {
  return stopDownClock(state, now);
}

/** What a result makes of a state in maintenance: all but what people were told, and the time down that it was about. */
export function keepTold(before: MonitorState, after: MonitorState): MonitorState {
  const { lastEvent, downSince, downMs } = before;
  return { ...after, lastEvent, downSince, downMs, downFrom: null };
}

/**
 * The state of a monitor that comes out of maintenance at `now`: that of before, as people were `told`, with the verdicts
 * and counters of now. What differs is taken over by the next tick or result, told then, and never dated before `now`.
 */
export function leaveMaintenance(state: MonitorState, told: MonitorStatus, now: number): MonitorState {
  const wasDown = told === 'down';
  return {
    ...state,
    status: told,
    since: now,
    floor: now,
    downFrom: wasDown ? now : null,
    downSince: wasDown || told === 'degraded' ? state.downSince : null,
    downMs: wasDown || told === 'degraded' ? state.downMs : 0,
  };
}
