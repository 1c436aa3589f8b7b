import type { ProbeResult } from '@/lib/checks/result';
import type { DecidingField, MonitorConfig } from '@/lib/schemas/monitor/fields';

/** What the service says about a monitor. Pausing and maintenance are flags beside it, never a fifth status. */
export type MonitorStatus = 'pending' | 'operational' | 'degraded' | 'down';

/** What one region thinks of the monitor, with hysteresis; null while its first run is not complete. */
export type Verdict = 'good' | 'slow' | 'failing';

export type MonitorEvent = 'monitor.down' | 'monitor.up' | 'monitor.degraded';

/** The part of a monitor's configuration that its status depends on. Times in milliseconds. */
export type StateConfig = {
  intervalMs: number;
  timeoutMs: number;
  /** Failed (or slow) checks in a row that make a region failing (or slow). */
  alertThreshold: number;
  /** Good checks in a row that make a region good again. */
  recoveryThreshold: number;
  degradedThresholdMs: number;
  /** A certificate that ends within so many days counts as slow; null turns this off. */
  tlsExpiryDays: number | null;
  regions: string[];
  configVersion: number;
};

/** The fields of a monitor that its status depends on, as they are stored. */
type Stored = Omit<Pick<MonitorConfig, DecidingField>, 'interval' | 'regions'> & {
  interval: number;
  regions: string[];
  configVersion: number;
};

/** What the status of a monitor depends on. */
export function toStateConfig(monitor: Stored): StateConfig {
  const { alertThreshold, recoveryThreshold, tlsExpiryDays, regions, configVersion } = monitor;
  return {
    ...{ alertThreshold, recoveryThreshold, tlsExpiryDays, regions, configVersion },
    intervalMs: monitor.interval * 1000,
    timeoutMs: monitor.timeout * 1000,
    degradedThresholdMs: monitor.degradedThreshold,
  };
}

export type CheckError = { code: string; message: string };

/** What a probe found, and where. An `unknown` outcome is ignored, as if the check had not taken place. */
export type ResultInput = {
  kind: 'result';
  region: string;
  /** Milliseconds since the epoch, when the check began: it orders a region's results and names a replayed one. */
  startedAt: number;
  error: CheckError | null;
} & Pick<ProbeResult, 'outcome' | 'responseTime' | 'statusCode' | 'certificateExpiresAt'>;

/**
 * A result, or a `tick`: time has passed, which alone can take votes away. `unserved` are regions without a living
 * worker.
 */
export type CheckInput = ResultInput | { kind: 'tick'; unserved?: readonly string[] };

/** The latest result of a region, as events and the dashboard tell it. */
export type LatestResult = {
  kind: 'good' | 'slow' | 'failed';
  responseTime: number | null;
  statusCode: number | null;
  certificateExpiresAt: number | null;
  error: CheckError | null;
};

/** A verdict and the beginning of the first check of the run that caused it. */
export type VerdictChange = { verdict: Verdict; since: number };

export type RegionState = {
  verdict: Verdict | null;
  /** Beginning of the first check of the run that caused the verdict. */
  since: number | null;
  /** The verdicts before, newest first; only the last few, for back-dating. */
  earlier: VerdictChange[];
  /** Failed checks in a row. */
  failures: number;
  /** Successful checks in a row, fast or slow. */
  goods: number;
  /** Successful but slow checks in a row. */
  slows: number;
  /** Successful and fast checks in a row. */
  fasts: number;
  /** Beginning of the current run of failures or of successes. */
  runSince: number | null;
  /** Beginning of the current run of slow or of fast checks, inside a run of successes. */
  paceSince: number | null;
  /** When the latest check began; kept when the vote is lost, so that an old result stays a replayed one. */
  startedAt: number | null;
  /** When the latest result came; null while the region has no vote. */
  resultAt: number | null;
  latest: LatestResult | null;
};

/**
 * Everything the function remembers of a monitor: numbers, strings and null, stored as JSON. Times are epoch
 * milliseconds.
 */
export type MonitorState = {
  status: MonitorStatus;
  /** Back-dated start of the status. */
  since: number;
  /** No later change is back-dated before this moment: the status, a lost vote or an unknown time ended there. */
  floor: number;
  regions: Record<string, RegionState>;
  /** When the latest check that changed a verdict began. */
  verdictChangedAt: number | null;
  /** The last monitor.* event that was sent. */
  lastEvent: MonitorEvent | null;
  consecutiveFailures: number;
  lastResultAt: number | null;
  /**
   * When the first check began since the monitor was created, resumed or changed, or since its regions were last silent;
   * null before it. For a while after it regions count that have not reported yet: see `countingRegions`.
   */
  firstCheckAt: number | null;
  /** Start of the unknown time while no region has a vote; null while the status is known. */
  unknownSince: number | null;
  /** Start of the first time down since the monitor was last operational. */
  downSince: number | null;
  /** Start of the time down that is running now; null while it is not down, or unknown. */
  downFrom: number | null;
  /** Completed time down since the monitor was last operational, without unknown time. */
  downMs: number;
};

export type RegionVote = {
  region: string;
  verdict: Verdict | null;
  failures: number;
  slows: number;
  goods: number;
  vote: boolean;
  error: CheckError | null;
};

/** Why a status changed. For members of the organization only: it carries the targets' error text. */
export type Why = {
  /** The rule that fired, in words. */
  rule: string;
  regions: RegionVote[];
  /** Regions that count: those with a vote, and those that are awaited. */
  voting: number;
  quorum: number;
  configVersion: number;
};

export type StatusEffect = {
  kind: 'status';
  from: MonitorStatus;
  to: MonitorStatus;
  /** The moment of the decision: `timestamp` of the event. */
  at: number;
  /** Back-dated start of the new period in the ledger. */
  since: number;
  why: Why;
  event: MonitorEvent | null;
  /** The region whose latest result `details` tells. */
  region: string;
  details: {
    consecutiveFailures: number;
    responseTime: number | null;
    statusCode: number | null;
    errorMessage: string | null;
  };
  /** Start of the first time down since the monitor was last operational; null when it was not down. */
  downSince: number | null;
  /** Time down since the monitor was last operational: the `downtime` of monitor.up, 0 when only degraded. */
  downtimeMs: number;
};

/**
 * What the recorder has to do, in this order. `unknown`: the ledger's current period ends at `from` and unknown time
 * begins; `known`: unknown time ends at `from` and the status goes on.
 */
export type Effect = StatusEffect | { kind: 'unknown'; from: number } | { kind: 'known'; from: number };

export type Transition = { state: MonitorState; effects: Effect[] };

const STATUSES: readonly unknown[] = ['pending', 'operational', 'degraded', 'down'] satisfies MonitorStatus[];

/** A state as any version has stored it: what was added later may be missing. */
type StoredState = Omit<MonitorState, 'firstCheckAt'> & Partial<Pick<MonitorState, 'firstCheckAt'>>;

/** The state that was stored as JSON. Throws when it is none: it is written by this module only. */
export function parseMonitorState(stored: unknown): MonitorState {
  if (!isStoredState(stored)) throw new Error('the stored value is no monitor state');
  // A pending monitor of a version that did not know it may be in its first round.
  return { firstCheckAt: stored.status === 'pending' ? stored.since : null, ...stored };
}

function isStoredState(stored: unknown): stored is StoredState {
  if (typeof stored !== 'object' || stored === null) return false;
  return 'status' in stored && STATUSES.includes(stored.status) && 'regions' in stored && 'floor' in stored;
}
