import { type Estimate, nextEstimated } from './confirmation/estimate-checks';
import { initialState, pausedState, restartedState } from './initial-state';
import { enterMaintenance, keepLastNotified, leaveMaintenance } from './maintenance';
import { endOf as endOfCheck, toInput } from './region';
import { transition } from './transition';
import type { CheckInput, Effect, MonitorState, MonitorStatus, StateConfig } from './types';

/** What happened to a monitor besides its checks. `isRestart`: during maintenance it restarted at pending. */
export type ReplayMark = { at: number } & (
  | { kind: 'restart' | 'pause' | 'maintenance-end' }
  | { kind: 'maintenance'; isRestart: boolean }
);

/** One alert that would have been sent. Times are epoch milliseconds. */
export type ReplayedAlert = {
  status: 'down' | 'degraded';
  /** Back-dated start. */
  since: number;
  decidedAt: number;
  /** When it ended; null if it was still ongoing at the end. */
  until: number | null;
  reason: string | null;
};

/** The result of a replay: alerts, oldest first, the time down and degraded, and how many checks were estimated. */
export type Replayed = { alerts: ReplayedAlert[]; downMs: number; degradedMs: number; estimated: number };

/**
 * Runs the state machine over stored checks, with any configuration: `feed` takes checks in the order in
 * which they ended, `mark` what happened in between, `end` returns the result. Starts at pending. Pure, like
 * the state machine itself.
 */
export class Replay {
  private state: MonitorState;
  /** The status that people were last notified of before maintenance; null outside maintenance. */
  private lastNotified: MonitorStatus | null = null;
  private isPaused = false;
  private estimated = 0;
  private open: { status: MonitorStatus; from: number } | null = null;
  private readonly spent = { down: 0, degraded: 0 };
  private readonly alerts: ReplayedAlert[] = [];

  constructor(
    private readonly config: StateConfig,
    from: number,
  ) {
    this.state = initialState(from);
  }

  /** Takes one result that arrived at `now`. */
  feed(input: CheckInput, now: number): void {
    const { state, effects } = transition(this.config, this.state, input, now);
    if (this.lastNotified !== null) {
      this.state = keepLastNotified(this.state, state);
      return;
    }
    this.state = state;
    for (const effect of effects) this.follow(effect);
  }

  /** Takes the checks off the grid that would have ended by `now`, and that are not stored, as they are estimated. */
  confirm(estimate: Estimate, now: number): void {
    const { timeoutMs } = this.config;
    while (!this.isPaused) {
      const check = nextEstimated(this.state, estimate, now);
      if (check === null || endOfCheck(check, timeoutMs) > now) return;
      const before = this.state;
      this.feed(toInput(check, this.config), endOfCheck(check, timeoutMs));
      if (this.state === before) return;
      this.estimated += 1;
    }
  }

  mark(mark: ReplayMark): void {
    const { at } = mark;
    // Apply the effects of the elapsed time before it ends.
    if (mark.kind !== 'maintenance-end' && !this.isPaused) this.feed({ kind: 'tick' }, at);
    switch (mark.kind) {
      case 'restart':
        this.restart(at);
        this.lastNotified = null;
        break;
      case 'pause':
        this.isPaused = true;
        this.state = pausedState(this.state, at);
        this.closeAlert(at);
        this.closePeriod(at);
        break;
      case 'maintenance':
        if (mark.isRestart) this.restart(at);
        this.lastNotified = this.state.status;
        this.state = enterMaintenance(this.state, at);
        this.closePeriod(at);
        break;
      case 'maintenance-end':
        this.leaveMaintenance(at);
    }
  }

  /** The result up to `now`. */
  end(now: number): Replayed {
    if (this.lastNotified === null && !this.isPaused) this.feed({ kind: 'tick' }, now);
    this.closePeriod(now);
    return {
      alerts: this.alerts,
      downMs: this.spent.down,
      degradedMs: this.spent.degraded,
      estimated: this.estimated,
    };
  }

  private restart(at: number): void {
    this.isPaused = false;
    this.state = restartedState(this.state, at);
    this.closeAlert(at);
    this.closePeriod(at);
  }

  private leaveMaintenance(at: number): void {
    if (this.lastNotified === null) return;
    this.state = leaveMaintenance(this.state, this.lastNotified, at);
    this.lastNotified = null;
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

/** The alerts of each replay that have no counterpart in the other, and how much sooner the others are decided. */
type AlertChanges = {
  avoided: ReplayedAlert[];
  added: ReplayedAlert[];
  /** The median of the outages that both have, in milliseconds; negative: later. Null without any. */
  soonerMs: number | null;
};

/**
 * Which alerts disappear, which appear, and how much sooner the others are decided. Alerts with the same status that overlap in time
 * match; a counterpart matches only one alert.
 */
export function compareAlerts(
  current: readonly ReplayedAlert[],
  proposed: readonly ReplayedAlert[],
): AlertChanges {
  const kept = new Set<ReplayedAlert>();
  const sooner: number[] = [];
  const avoided = current.filter((alert) => {
    const same = proposed.find((other) => !kept.has(other) && isSame(alert, other));
    if (same) kept.add(same);
    if (same?.status === 'down') sooner.push(alert.decidedAt - same.decidedAt);
    return same === undefined;
  });
  sooner.sort((a, b) => a - b);
  const soonerMs = sooner[Math.floor((sooner.length - 1) / 2)] ?? null;
  return { avoided, added: proposed.filter((alert) => !kept.has(alert)), soonerMs };
}

function isSame(a: ReplayedAlert, b: ReplayedAlert): boolean {
  return a.status === b.status && a.since <= endOf(b) && b.since <= endOf(a);
}

function endOf({ until }: ReplayedAlert): number {
  return until ?? Number.POSITIVE_INFINITY;
}
