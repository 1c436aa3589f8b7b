import type { ProbeResult } from '@/lib/checks/result';
import { isGroup, isProbed, type MonitorType } from '@/lib/checks/types';
import type { DecidingField, MonitorConfig } from '@/lib/schemas/monitor/fields';

/** The status of a monitor. Pausing and maintenance are separate flags, never a fifth status. */
export type MonitorStatus = 'pending' | 'operational' | 'degraded' | 'down';

/** How one region judges the monitor, with hysteresis; null until its first run is complete. */
export type Verdict = 'good' | 'slow' | 'failing';
export type MonitorEvent = 'monitor.down' | 'monitor.up' | 'monitor.degraded';

/** The only region of a monitor that is not probed: the job that calls. */
export const CALLER = 'heartbeat';
/** What reports a group: no region, but its members. */
export const GROUP_REGION = 'group';

/** The part of a monitor's configuration that determines its status. Times in milliseconds. */
export type StateConfig = {
  /** Whether results come from probes in regions. Otherwise a job calls, and its silence comes as a result too. */
  isProbed: boolean;
  /** Its status follows from that of its members, and has no regions. */
  isGroup?: boolean;
  intervalMs: number;
  timeoutMs: number;
  /** Consecutive failed (or slow) checks that make a region failing (or slow). */
  alertThreshold: number;
  /** Consecutive good checks that make a region good again. */
  recoveryThreshold: number;
  degradedThresholdMs: number;
  /** Between the checks off the grid that confirm a first failure; null: none are made. */
  confirmMs: number | null;
  /** A certificate that expires within this many days counts as slow; null disables this. */
  tlsExpiryDays: number | null;
  regions: string[];
  configVersion: number;
};

/** The monitor fields that determine its status, as stored. */
type Stored = Omit<Pick<MonitorConfig, DecidingField>, 'interval' | 'regions'> & {
  type: MonitorType;
  interval: number;
  regions: string[];
  configVersion: number;
};

/** Converts stored fields to a state configuration. */
export function toStateConfig(monitor: Stored): StateConfig {
  const { alertThreshold, recoveryThreshold, confirmInterval, tlsExpiryDays, regions, configVersion } =
    monitor;
  const config = {
    alertThreshold,
    recoveryThreshold,
    tlsExpiryDays,
    regions,
    configVersion,
    isProbed: isProbed(monitor),
    intervalMs: monitor.interval * 1000,
    timeoutMs: monitor.timeout * 1000,
    degradedThresholdMs: monitor.degradedThreshold,
    confirmMs: confirmInterval === null ? null : confirmInterval * 1000,
  };
  if (config.isProbed) return config;
  return isGroup(monitor) ? { ...config, ...CALLED, regions: [], isGroup: true } : { ...config, ...CALLED };
}

/** A run may take any time without being slow, and what a job reported last stays true until it calls or is late. */
const CALLED = {
  regions: [CALLER],
  timeoutMs: Number.POSITIVE_INFINITY,
  degradedThresholdMs: Number.POSITIVE_INFINITY,
  confirmMs: null,
  tlsExpiryDays: null,
};

/** `detail` replaces `message` for members of the organization: events and notifications must not contain what the target sent. */
export type CheckError = { code: string; message: string; detail?: string };

/** What a probe found, and where. An `unknown` outcome is ignored, as if the check had not happened. */
export type ResultInput = {
  kind: 'result';
  region: string;
  /** When the check began, in epoch milliseconds: orders a region's results and identifies replays. */
  startedAt: number;
  error: CheckError | null;
} & Pick<ProbeResult, 'outcome' | 'responseTime' | 'statusCode' | 'certificateExpiresAt'> &
  Partial<Pick<ProbeResult, 'certificateName'>>;

/** How many members of a group must be up. */
export type MemberRule = Pick<MonitorConfig, 'memberRule' | 'memberMinimum'>;

/** What a time of a member counts as, as in the ledger. */
export type MemberState = MonitorStatus | 'paused' | 'maintenance' | 'unknown';

/**
 * A member of a group with its latest periods, newest first, in epoch milliseconds; before the oldest of them it did not exist, unless
 * `isCut`. At least one.
 */
export type GroupMember = {
  name: string;
  periods: readonly { state: MemberState; from: number }[];
  isCut: boolean;
};

/** The members of a group now. `notBefore`: when it got these members, or this rule, in epoch milliseconds. */
export type MembersInput = {
  kind: 'members';
  rule: MemberRule;
  members: readonly GroupMember[];
  notBefore: number;
};

/** A result, the members of a group, or a `tick`: passed time can remove votes. `unserved`: regions without a live worker. */
export type CheckInput = ResultInput | MembersInput | { kind: 'tick'; unserved?: readonly string[] };

/** The latest result of a region, as shown in events and on the dashboard. */
export type LatestResult = {
  kind: 'good' | 'slow' | 'failed';
  responseTime: number | null;
  statusCode: number | null;
  certificateExpiresAt: number | null;
  /** Which certificate that is; absent if it is that of the target itself. */
  certificateName?: string;
  error: CheckError | null;
};

/** A verdict, and when the first check of the run that caused it began. */
export type VerdictChange = { verdict: Verdict; since: number };

/** One region of a monitor. The keys are stored as JSON in `monitor_state.machine`, so they keep their short names. */
export type RegionState = {
  verdict: Verdict | null;
  /** When the first check of the run that caused the verdict began. */
  since: number | null;
  /** The previous verdicts, newest first; only the last few, for back-dating. */
  earlier: VerdictChange[];
  /** Consecutive failed checks. */
  failures: number;
  /** Consecutive successful checks, fast or slow. */
  goods: number;
  /** Consecutive slow successful checks. */
  slows: number;
  /** Consecutive fast successful checks. */
  fasts: number;
  /** When the current run of failures or of successes began. */
  runSince: number | null;
  /** When the current run of slow or of fast checks began, within a run of successes. */
  paceSince: number | null;
  /** When the latest check began; kept when the vote is lost, so that replays are still recognized. */
  startedAt: number | null;
  /** When the latest result arrived; null while the region has no vote. */
  resultAt: number | null;
  latest: LatestResult | null;
};

/**
 * Checks off the grid that confirm or rule out a change of status. Times are epoch milliseconds. `used` is how many of a region's checks
 * count against the limit, `dueAt` when its next one is due; null: nothing is due.
 */
export type Confirmation = {
  /** Whether something is in doubt: a run is going on. */
  isOpen: boolean;
  /** When this run began, or the last one. */
  begunAt: number;
  regions: Record<string, { used: number; dueAt: number | null }>;
};

/** What the transition remembers of a monitor, stored as JSON. Times are epoch milliseconds. */
export type MonitorState = {
  status: MonitorStatus;
  /** Back-dated start of the status. */
  since: number;
  /** No later change is dated before this: the last status, a lost vote or an unknown period ended here. */
  floor: number;
  regions: Record<string, RegionState>;
  /** When the latest check that changed a verdict began. */
  verdictChangedAt: number | null;
  /** The last monitor.* event that was sent. */
  lastEvent: MonitorEvent | null;
  consecutiveFailures: number;
  lastResultAt: number | null;
  /**
   * When the first check since the monitor was created, resumed or changed began, or since its regions were
   * last silent; null before that. For a while afterwards, regions that have not reported yet count too: see
   * `countingRegions`.
   */
  firstCheckAt: number | null;
  /** Start of the unknown period while no region has a vote; null while the status is known. */
  unknownSince: number | null;
  /** When the first downtime since the monitor was last operational began. */
  downSince: number | null;
  /** Start of the current downtime; null while the monitor is not down, or unknown. */
  downFrom: number | null;
  /** Accumulated downtime since the monitor was last operational, without unknown periods. */
  downMs: number;
  /** Null while nothing was ever in doubt, or the monitor has no such checks. */
  confirmation: Confirmation | null;
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

/** Why a status changed. Only for members of the organization: it contains the targets' error texts. */
export type Why = {
  /** The rule that applied, as text. */
  rule: string;
  regions: RegionVote[];
  /** Regions that count: those with a vote, and those still awaited. */
  voting: number;
  quorum: number;
  configVersion: number;
};

export type StatusEffect = {
  kind: 'status';
  from: MonitorStatus;
  to: MonitorStatus;
  /** When the change was decided: `timestamp` of the event. */
  at: number;
  /** Back-dated start of the new period in the ledger. */
  since: number;
  why: Why;
  event: MonitorEvent | null;
  /** The region whose latest result `details` shows. */
  region: string;
  details: {
    consecutiveFailures: number;
    responseTime: number | null;
    statusCode: number | null;
    errorMessage: string | null;
  };
  /** When the first downtime since the monitor was last operational began; null if it was not down. */
  downSince: number | null;
  /** Downtime since the monitor was operational: the `downtime` of monitor.up, 0 if only degraded. */
  downtimeMs: number;
};

/**
 * What the recorder has to write, in order. `unknown`: the current ledger period ends at `from` and an
 * unknown period begins; `known`: the unknown period ends at `from` and the status continues. `rule` is why, if not the silence of regions.
 */
export type Effect =
  | StatusEffect
  | { kind: 'unknown'; from: number; rule?: string }
  | { kind: 'known'; from: number; rule?: string };
export type StateTransition = { state: MonitorState; effects: Effect[] };

const STATUSES: readonly unknown[] = ['pending', 'operational', 'degraded', 'down'] satisfies MonitorStatus[];

/**
 * A state as stored by any version: fields added later may be missing. `isContested` is `contestMark`; a state that is stored without
 * it is contested.
 */
type StoredState = Omit<MonitorState, 'firstCheckAt' | 'confirmation'> &
  Partial<Pick<MonitorState, 'firstCheckAt' | 'confirmation'>> & { isContested?: boolean | 'down' };

/** Parses a state stored as JSON. Throws if it is not one: only this module writes it. */
export function parseMonitorState(stored: unknown): MonitorState {
  if (!isStoredState(stored)) throw new Error('the stored value is not a monitor state');
  // A pending monitor stored by an older version may be in its first round.
  const { isContested: _, ...state } = stored;
  return { firstCheckAt: state.status === 'pending' ? state.since : null, confirmation: null, ...state };
}

function isStoredState(stored: unknown): stored is StoredState {
  if (typeof stored !== 'object' || stored === null) return false;
  return 'status' in stored && STATUSES.includes(stored.status) && 'regions' in stored && 'floor' in stored;
}
