import { stopDownClock } from './silence';
import type { MonitorState, MonitorStatus } from './types';

/** The state of a monitor created at `now` (epoch milliseconds): pending, without votes. */
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
    confirmation: null,
  };
}

/**
 * The state after resuming, or after the probe configuration changed: pending, with new counters. Keeps the
 * last event sent and the accumulated downtime, so that the first recovery still sends monitor.up with its
 * downtime.
 */
export function restartedState(state: MonitorState, now: number): MonitorState {
  const { lastEvent, downSince, downMs } = stopDownClock(state, now);
  return { ...initialState(now), lastEvent, downSince, downMs };
}

/** The state instead of an unusable stored one: as restarted, assuming people were notified of `status`. */
export function rebuiltState(status: MonitorStatus, now: number): MonitorState {
  const fresh = initialState(now);
  if (status === 'down') return { ...fresh, lastEvent: 'monitor.down', downSince: now };
  return status === 'degraded' ? { ...fresh, lastEvent: 'monitor.degraded' } : fresh;
}

/** The state of a monitor paused at `now`: the status stays, and downtime stops accumulating. */
export function pausedState(state: MonitorState, now: number): MonitorState {
  return stopDownClock(state, now);
}
