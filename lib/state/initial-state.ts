import { stopDownClock } from './silence';
import type { MonitorState, MonitorStatus } from './types';

/** The state of a monitor that was made at `now` (epoch milliseconds): pending, without a vote. */
export function initialState(now: number): MonitorState {
  return {
    status: 'pending',
    since: now,
    floor: now,
    regions: {},
    verdictChangedAt: null,
    lastEvent: null,
    consecutiveFailures: 0,
    lastResultAt: null,
    firstCheckAt: null,
    unknownSince: null,
    downSince: null,
    downFrom: null,
    downMs: 0,
  };
}

/**
 * The state after resuming, or after a change of what is probed: pending again with new counters. It remembers the
 * last event sent and the time down so far, so that the first recovery still sends monitor.up with its downtime.
 */
export function restartedState(state: MonitorState, now: number): MonitorState {
  const { lastEvent, downSince, downMs } = stopDownClock(state, now);
  return { ...initialState(now), lastEvent, downSince, downMs };
}

/**
 * The state of a monitor whose stored one cannot be used: as restarted, with what its last `status` says that people were
 * notified of. How long it was down is not known any more.
 */
export function rebuiltState(status: MonitorStatus, now: number): MonitorState {
  const fresh = initialState(now);
  if (status === 'down') return { ...fresh, lastEvent: 'monitor.down', downSince: now };
  return status === 'degraded' ? { ...fresh, lastEvent: 'monitor.degraded' } : fresh;
}

/** The state of a monitor paused at `now`: the status stays, and time down is counted no further. */
export function pausedState(state: MonitorState, now: number): MonitorState {
  return stopDownClock(state, now);
}

/** The state of a monitor that goes into maintenance at `now`: time down stops counting. */
export function enterMaintenance(state: MonitorState, now: number): MonitorState {
  return stopDownClock(state, now);
}

/** What a result makes of a state in maintenance: all but what people were told, and the time down that it was about. */
export function keepLastNotified(before: MonitorState, after: MonitorState): MonitorState {
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
