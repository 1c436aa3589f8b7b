import type {
  CheckInput,
  LatestResult,
  RegionState,
  ResultInput,
  StateConfig,
  Verdict,
  VerdictChange,
} from './types';

const DAY_MS = 86_400_000;

/** A region changes its verdict rarely within one status; further back, back-dating stops at the oldest one kept. */
const EARLIER_VERDICTS_KEPT = 5;

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

/** Whether the certificate of a check ends within the configured days, counted from when the check began. */
export function isCertificateEnding(
  config: StateConfig,
  certificateExpiresAt: number | null,
  startedAt: number,
): boolean {
  if (config.tlsExpiryDays === null || certificateExpiresAt === null) return false;
  return certificateExpiresAt <= startedAt + config.tlsExpiryDays * DAY_MS;
}

/**
 * The region after one more result. A failure ends every run of successes; a slow check is a success, so it ends a run
 * of failures and of fast checks only; a fast one ends runs of failures and of slow checks.
 */
export function countResult(
  config: StateConfig,
  region: RegionState,
  result: ResultInput,
  now: number,
): RegionState {
  const latest = describeResult(config, result);
  const failed = latest.kind === 'failed';
  const slow = latest.kind === 'slow';
  const fast = latest.kind === 'good';

  const runGoesOn = failed ? region.failures > 0 : region.goods > 0;
  const paceGoesOn = slow ? region.slows > 0 : fast && region.fasts > 0;
  const counted: RegionState = {
    ...region,
    failures: failed ? region.failures + 1 : 0,
    goods: failed ? 0 : region.goods + 1,
    slows: slow ? region.slows + 1 : 0,
    fasts: fast ? region.fasts + 1 : 0,
    runSince: runGoesOn ? region.runSince : result.startedAt,
    paceSince: failed ? null : paceGoesOn ? region.paceSince : result.startedAt,
    startedAt: result.startedAt,
    resultAt: resultTime(config, result, now),
    latest,
  };
  return judge(config, counted);
}

/** When a result came, for its age: a check ends within its timeout, however late its result is recorded. */
export function resultTime(config: StateConfig, result: ResultInput, now: number): number {
  return Math.min(now, result.startedAt + config.timeoutMs);
}

/**
 * Whether the latest result speaks against the verdict: a failure where the region is not failing, or a success where
 * it is. Pace does not count: slow and fast are both successes, and a target that alternates must not hold a recovery up.
 */
export function contradictsItself(region: RegionState): boolean {
  if (region.latest === null) return false;
  return (region.latest.kind === 'failed') !== (region.verdict === 'failing');
}

/** The verdicts of a region with the start of each, newest first. */
export function verdictChanges(region: RegionState): VerdictChange[] {
  if (region.verdict === null || region.since === null) return region.earlier;
  return [{ verdict: region.verdict, since: region.since }, ...region.earlier];
}

function describeResult(config: StateConfig, result: ResultInput): LatestResult {
  const { responseTime, statusCode, error, startedAt } = result;
  const certificateExpiresAt = result.certificateExpiresAt?.getTime() ?? null;
  const told = { responseTime, statusCode, certificateExpiresAt, error };
  if (result.outcome === 'failed') return { kind: 'failed', ...told };
  const tookLong = responseTime !== null && responseTime > config.degradedThresholdMs;
  const slow = tookLong || isCertificateEnding(config, certificateExpiresAt, startedAt);
  return { kind: slow ? 'slow' : 'good', ...told };
}

function judge(config: StateConfig, region: RegionState): RegionState {
  const verdict = nextVerdict(config, region);
  if (verdict === null || verdict === region.verdict) return region;
  return {
    ...region,
    verdict,
    since: isPaceVerdict(region.verdict, verdict) ? region.paceSince : region.runSince,
    earlier: verdictChanges(region).slice(0, EARLIER_VERDICTS_KEPT),
  };
}

function nextVerdict(config: StateConfig, region: RegionState): Verdict | null {
  if (region.failures >= config.alertThreshold) return 'failing';
  // Before `good`: checks that are all slow say `slow`, also where both runs are complete at once.
  if (region.slows >= config.alertThreshold) return 'slow';
  const goods = region.verdict === 'slow' ? region.fasts : region.goods;
  if (goods >= config.recoveryThreshold) return 'good';
  return region.verdict;
}

function isPaceVerdict(from: Verdict | null, to: Verdict): boolean {
  return to === 'slow' || (from === 'slow' && to === 'good');
}

/** A check as it is stored. The end of a certificate is not, so that a replay knows nothing of the warning about it. */
export type SeenCheck = Omit<ResultInput, 'kind' | 'statusCode' | 'certificateExpiresAt'>;

/** What a check would have said under a configuration: one that took longer than the timeout would have been given up. */
export function asInput(check: SeenCheck, { timeoutMs }: StateConfig): CheckInput {
  const { responseTime, outcome } = check;
  const seen = { kind: 'result', ...check, certificateExpiresAt: null, statusCode: null } as const;
  if (outcome !== 'ok' || responseTime === null || responseTime <= timeoutMs) return seen;
  const error = { code: 'timeout', message: `no response within ${timeoutMs / 1000} s` };
  return { ...seen, outcome: 'failed', responseTime: null, error };
}

/**
 * When its result came, as well as is known: after its response time, or the timeout where it ran into it. `timeoutMs` is
 * that of the monitor now.
 */
export function endOf({ startedAt, responseTime, error }: SeenCheck, timeoutMs: number): number {
  return startedAt + (responseTime ?? (error?.code === 'timeout' ? timeoutMs : 0));
}

/** The first checks to end come first, as they were recorded; sorts in place. */
export function sortByEnd(checks: SeenCheck[], timeoutMs: number): void {
  checks.sort((a, b) => endOf(a, timeoutMs) - endOf(b, timeoutMs) || a.startedAt - b.startedAt);
}
