import {
  enterMaintenance,
  initialState,
  keepLastNotified,
  leaveMaintenance,
  pausedState,
  restartedState,
} from './initial-state';
import { transition } from './transition';
import type { CheckInput, Effect, MonitorState, MonitorStatus, StateConfig } from './types';

/**
 * What a person or a window did to a monitor at a moment, beside its checks. `isRestart`: within maintenance it began
 * again at pending.
 */
export type ReplayMark = { at: number } & (
  | { kind: 'restart' | 'pause' | 'maintenance-end' }
  | { kind: 'maintenance'; isRestart: boolean }
);

/** One time that people would have been told of. Times are epoch milliseconds. */
export type ReplayedAlert = {
  status: 'down' | 'degraded';
  /** Back-dated start. */
  since: number;
  decidedAt: number;
  /** When it was over; null where it goes on at the end. */
  until: number | null;
  reason: string | null;
};

/** What would have come of it: the alerts, oldest first, and the time down and degraded. */
export type Replayed = { alerts: ReplayedAlert[]; downMs: number; degradedMs: number };

/**
 * Runs the one state machine over what is stored, under a configuration that need not be the one that was in force:
 * `feed` takes checks in the order in which they ended, `mark` what happened between them, `end` tells what came of it.
 * It begins at pending. Pure like the machine itself.
 */
export class Replay {
  private state: MonitorState;
  /** The status that people were told of before maintenance; null outside. */
  private told: MonitorStatus | null = null;
  private isPaused = false;
  private open: { status: MonitorStatus; from: number } | null = null;
  private readonly spent = { down: 0, degraded: 0 };
  private readonly alerts: ReplayedAlert[] = [];

  constructor(
    private readonly config: StateConfig,
    from: number,
  ) {
    this.state = initialState(from);
  }

  /** Takes one result, which came at `now`. */
  feed(input: CheckInput, now: number): void {
    const { state, effects } = transition(this.config, this.state, input, now);
    if (this.told !== null) {
      this.state = keepLastNotified(this.state, state);
      return;
    }
    this.state = state;
    for (const effect of effects) this.follow(effect);
  }

  mark(mark: ReplayMark): void {
    const { at } = mark;
    // What the time before did is told before it ends.
    if (mark.kind !== 'maintenance-end' && !this.isPaused) this.feed({ kind: 'tick' }, at);
    switch (mark.kind) {
      case 'restart':
        this.restart(at);
        this.told = null;
        break;
      case 'pause':
        this.isPaused = true;
        this.state = pausedState(this.state, at);
        this.closeAlert(at);
        this.closePeriod(at);
        break;
      case 'maintenance':
        if (mark.isRestart) this.restart(at);
        this.told = this.state.status;
        this.state = enterMaintenance(this.state, at);
        this.closePeriod(at);
        break;
      case 'maintenance-end':
        this.leaveMaintenance(at);
    }
  }

  /** What came of it up to `now`. */
  end(now: number): Replayed {
    if (this.told === null && !this.isPaused) this.feed({ kind: 'tick' }, now);
    this.closePeriod(now);
    return { alerts: this.alerts, downMs: this.spent.down, degradedMs: this.spent.degraded };
  }

  private restart(at: number): void {
    this.isPaused = false;
    this.state = restartedState(this.state, at);
    this.closeAlert(at);
    this.closePeriod(at);
  }

  private leaveMaintenance(at: number): void {
    if (this.told === null) return;
    this.state = leaveMaintenance(this.state, this.told, at);
    this.told = null;
    if (this.state.unknownSince === null) this.open = { status: this.state.status, from: at };
    this.feed({ kind: 'tick' }, at);
  }

  private follow(effect: Effect): void {
    if (effect.kind !== 'status') {
      this.closePeriod(effect.from);
      if (effect.kind === 'known') this.open = { status: this.state.status, from: effect.from };
      return;
    }
    this.closePeriod(effect.since);
    this.closeAlert(effect.since);
    this.open = { status: effect.to, from: effect.since };
    if (effect.event !== 'monitor.down' && effect.event !== 'monitor.degraded') return;
    this.alerts.push({
      status: effect.event === 'monitor.down' ? 'down' : 'degraded',
      since: effect.since,
      decidedAt: effect.at,
      until: null,
      reason: effect.details.errorMessage,
    });
  }

  private closePeriod(at: number): void {
    if (this.open === null) return;
    const { status, from } = this.open;
    if (status === 'down' || status === 'degraded') this.spent[status] += Math.max(0, at - from);
    this.open = null;
  }

  private closeAlert(at: number): void {
    const last = this.alerts.at(-1);
    if (last && last.until === null) last.until = at;
  }
}

/** The alerts of one replay that have no counterpart in another: each counterpart answers for one alert only. */
type AlertChanges = { avoided: ReplayedAlert[]; added: ReplayedAlert[] };

/**
 * Which alerts go and which come when `proposed` is in force instead of `current`. Two are the same where both tell of
 * the same status and overlap in time; both lists are in the order of time, and so are the answers.
 */
export function compareAlerts(
  current: readonly ReplayedAlert[],
  proposed: readonly ReplayedAlert[],
): AlertChanges {
  const kept = new Set<ReplayedAlert>();
  const avoided = current.filter((alert) => {
    const same = proposed.find((other) => !kept.has(other) && isSame(alert, other));
    if (same) kept.add(same);
    return same === undefined;
  });
  return { avoided, added: proposed.filter((alert) => !kept.has(alert)) };
}

function isSame(a: ReplayedAlert, b: ReplayedAlert): boolean {
  return a.status === b.status && a.since <= endOf(b) && b.since <= endOf(a);
}

function endOf({ until }: ReplayedAlert): number {
  return until ?? Number.POSITIVE_INFINITY;
}
