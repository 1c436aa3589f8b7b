import { formatTiming } from '@/lib/core/time/duration';
import type {
  CheckInput,
  LatestResult,
  MonitorState,
  RegionState,
  ResultInput,
  StateConfig,
  Verdict,
  VerdictChange,
} from './types';

const DAY_MS = 86_400_000;
/** Verdicts rarely change within one status; back-dating reaches no further than the oldest one kept. */
const MAX_EARLIER_VERDICTS = 5;

/** A region without results: no vote, no verdict, no counters. */
export const SILENT_REGION: RegionState = {
  verdict: null,
  since: null,
  earlier: [],
  failures: 0,
  goods: 0,
  slows: 0,
  fasts: 0,
  runSince: null,
  paceSince: null,
  startedAt: null,
  resultAt: null,
  latest: null,
};

/** Whether a check's certificate expires within the configured days, counted from the start of the check. */
export function isCertificateExpiring(
  config: Pick<StateConfig, 'tlsExpiryDays'>,
  certificateExpiresAt: number | null,
  startedAt: number,
): boolean {
  if (config.tlsExpiryDays === null || certificateExpiresAt === null) return false;
  return certificateExpiresAt <= startedAt + config.tlsExpiryDays * DAY_MS;
}

/**
 * The region after one more result. A failure ends every run of successes. A slow check is a success, so it
 * only ends runs of failures and of fast checks; a fast check ends runs of failures and of slow checks.
 */
export function countResult(
  config: StateConfig,
  region: RegionState,
  result: ResultInput,
  now: number,
): RegionState {
  const latest = classifyResult(config, result);
  const failed = latest.kind === 'failed';
  const slow = latest.kind === 'slow';
  const fast = latest.kind === 'good';

  const runContinues = failed ? region.failures > 0 : region.goods > 0;
  const paceContinues = slow ? region.slows > 0 : fast && region.fasts > 0;
  const counted: RegionState = {
    ...region,
    failures: failed ? region.failures + 1 : 0,
    goods: failed ? 0 : region.goods + 1,
    slows: slow ? region.slows + 1 : 0,
    fasts: fast ? region.fasts + 1 : 0,
    runSince: runContinues ? region.runSince : result.startedAt,
    paceSince: failed ? null : paceContinues ? region.paceSince : result.startedAt,
    startedAt: result.startedAt,
    resultAt: resultTime(config, result, now),
    latest,
  };
  return judge(config, counted);
}

/** Whether a result began a run of failures in its region; `state` is the one after it. */
export function isFirstFailure({ regions }: MonitorState, input: CheckInput): input is ResultInput {
  if (input.kind !== 'result' || input.outcome !== 'failed') return false;
  const region = regions[input.region];
  return region?.failures === 1 && region.startedAt === input.startedAt;
}

/** When a check ended, however late its result was recorded: after its response time, or else within its timeout. */
export function resultTime(
  config: StateConfig,
  { startedAt, responseTime }: Pick<ResultInput, 'startedAt' | 'responseTime'>,
  now: number,
): number {
  return Math.min(now, startedAt + (responseTime ?? config.timeoutMs));
}

/**
 * Whether the latest result contradicts the verdict: a failure in a region that is not failing, or a success
 * in one that is. Pace does not matter: slow and fast are both successes, and a target that alternates must
 * not delay a recovery.
 */
export function contradictsVerdict(region: RegionState): boolean {
  if (region.latest === null) return false;
  return (region.latest.kind === 'failed') !== (region.verdict === 'failing');
}

/** The verdicts of a region with their start times, newest first. */
export function verdictChanges(region: RegionState): VerdictChange[] {
  if (region.verdict === null || region.since === null) return region.earlier;
  return [{ verdict: region.verdict, since: region.since }, ...region.earlier];
}

/** A result as good, slow or failed. A success with an error, something that is wrong nevertheless, is slow. */
export function classifyResult(config: StateConfig, result: ResultInput): LatestResult {
  const { responseTime, statusCode, error, startedAt, certificateName } = result;
  const certificateExpiresAt = result.certificateExpiresAt?.getTime() ?? null;
  const named = certificateName ? { certificateName } : {};
  const observed = { responseTime, statusCode, certificateExpiresAt, ...named, error };
  if (result.outcome === 'failed') return { kind: 'failed', ...observed };
  const isTooSlow = responseTime !== null && responseTime > config.degradedThresholdMs;
  const slow = error !== null || isTooSlow || isCertificateExpiring(config, certificateExpiresAt, startedAt);
  return { kind: slow ? 'slow' : 'good', ...observed };
}

function judge(config: StateConfig, region: RegionState): RegionState {
  const verdict = nextVerdict(config, region);
  if (verdict === null || verdict === region.verdict) return region;
  return {
    ...region,
    verdict,
    since: isPaceVerdict(region.verdict, verdict) ? region.paceSince : region.runSince,
    earlier: verdictChanges(region).slice(0, MAX_EARLIER_VERDICTS),
  };
}

function nextVerdict(config: StateConfig, region: RegionState): Verdict | null {
  if (region.failures >= config.alertThreshold) return 'failing';
  // Before `good`: a run of slow checks means `slow`, even if both runs complete at the same time.
  if (region.slows >= config.alertThreshold) return 'slow';
  const goods = region.verdict === 'slow' ? region.fasts : region.goods;
  if (goods >= config.recoveryThreshold) return 'good';
  return region.verdict;
}

function isPaceVerdict(from: Verdict | null, to: Verdict): boolean {
  return to === 'slow' || (from === 'slow' && to === 'good');
}

/** A check as stored. Certificate expiry is not stored, so a replay cannot show warnings about it. */
export type StoredCheck = Omit<ResultInput, 'kind' | 'statusCode' | 'certificateExpiresAt'>;

/** The result of a check under a configuration: beyond its timeout, a check would have failed. */
export function toInput(check: StoredCheck, { timeoutMs }: StateConfig): CheckInput {
  const { responseTime, outcome } = check;
  const seen = { kind: 'result', ...check, certificateExpiresAt: null, statusCode: null } as const;
  if (outcome !== 'ok' || responseTime === null || responseTime <= timeoutMs) return seen;
  const error = { code: 'timeout', message: `no response within ${formatTiming(timeoutMs)}` };
  return { ...seen, outcome: 'failed', responseTime: null, error };
}

/** When the result arrived, as far as known: after its response time, or after `timeoutMs`. */
export function endOf({ startedAt, responseTime, error }: StoredCheck, timeoutMs: number): number {
  return startedAt + (responseTime ?? (error?.code === 'timeout' ? timeoutMs : 0));
}

/** Sorts checks in place by when they ended, the order in which they were recorded. */
export function sortByEnd(checks: StoredCheck[], timeoutMs: number): void {
  checks.sort((a, b) => endOf(a, timeoutMs) - endOf(b, timeoutMs) || a.startedAt - b.startedAt);
}
