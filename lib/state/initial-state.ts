import { stopDownClock } from './known-time';
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
