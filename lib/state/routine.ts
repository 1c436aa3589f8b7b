import { classifyResult, resultTime } from './region';
import type {
  LatestResult,
  MonitorState,
  MonitorStatus,
  RegionState,
  ResultInput,
  StateConfig,
} from './types';
import { consecutiveFailures, firstRoundMs, voteLifetime, votersOf } from './votes';

/** A region's latest conclusive check, as recorded outside the state. Times are epoch milliseconds. */
export type LastCheck = {
  region: string;
  /** When it began. */
  startedAt: number;
  /** When its result arrived. */
  resultAt: number;
  responseTime: number | null;
  /** How many checks of the region have failed since the last one that the state knows. */
  failures: number;
};

/** What all regions see while nothing about the status is in doubt. */
const STEADY: Partial<Record<MonitorStatus, Pick<RegionState, 'verdict'> & Pick<LatestResult, 'kind'>>> = {
  operational: { verdict: 'good', kind: 'good' },
  down: { verdict: 'failing', kind: 'failed' },
};

/**
 * Whether any result can matter to the monitor's status. Otherwise every region sees what the status says, and nothing is pending: one
 * more result like the last changes nothing but its time, and how many checks have failed. Every call of a job
 * matters, as it moves the deadline of the next.
 */
export function isContested(config: StateConfig, state: MonitorState): boolean {
  const steady = STEADY[state.status];
  if (!config.isProbed || !steady || state.unknownSince !== null) return true;
  return !config.regions.every((id) => {
    const { resultAt = null, verdict, latest } = state.regions[id] ?? {};
    return resultAt !== null && verdict === steady.verdict && latest?.kind === steady.kind;
  });
}

/**
 * How a state is marked for the database, which tells the owners of the monitor. Versions before 0.3 know no routine failures, and take
 * every value but `false` for contested.
 */
export function contestMark(config: StateConfig, state: MonitorState): boolean | 'down' {
  if (isContested(config, state)) return true;
  return state.status === 'down' ? 'down' : false;
}

/** What is known of the previous result of a region. Times are epoch milliseconds. */
export type PreviousResult = {
  /** When it arrived. */
  resultAt: number | null;
  certificateExpiresAt: number | null;
  /** Its `failureOf`, if it failed; null otherwise. */
  failure: string | null;
  /** When a result of the region was last decided upon. */
  decidedAt: number | null;
};

/** While a monitor stays down, a result is decided upon this often, so that there is never much to count. */
const DECIDED_EVERY_MS = 30 * 60_000;

/**
 * Whether a result of a monitor that is not contested is routine: like the region's last one, and no gap in between. A success is, with
 * the same certificate; a failure is, for the same reason. `transition` has no effect on it, and changes nothing that `withLastChecks` does not.
 */
export function isRoutine(
  config: StateConfig,
  last: PreviousResult,
  result: ResultInput,
  now: number,
): boolean {
  if (last.resultAt === null || result.outcome === 'unknown') return false;
  const resultAt = resultTime(config, result, now);
  // After a gap, the region has lost its vote, or a new round begins.
  const hasVote = now - last.resultAt <= voteLifetime(config) && resultAt >= last.resultAt;
  const isSameRound = resultAt - last.resultAt <= firstRoundMs(config);
  if (!hasVote || !isSameRound) return false;
  const seen = classifyResult(config, result);
  if (seen.kind !== 'failed')
    return (
      seen.kind === 'good' && last.failure === null && seen.certificateExpiresAt === last.certificateExpiresAt
    );
  return failureOf(seen) === last.failure && now - (last.decidedAt ?? 0) <= DECIDED_EVERY_MS;
}

/** All that is kept of a failed result but how long it took: equal for failures that look the same. */
export function failureOf(latest: Omit<LatestResult, 'kind' | 'responseTime'>): string {
  const { statusCode, certificateExpiresAt, certificateName, error } = latest;
  return JSON.stringify([
    statusCode,
    certificateExpiresAt,
    certificateName ?? null,
    error?.code,
    error?.message,
    error?.detail,
  ]);
}

/**
 * The state after the routine results up to the last checks of its regions; earlier checks are ignored. A damaged state stays as
 * it is: the transition fails on it, and says so.
 */
export function withLastChecks(state: MonitorState, checks: readonly LastCheck[]): MonitorState {
  if (!state.regions) return state;
  let { regions, lastResultAt } = state;
  for (const { region: id, startedAt, resultAt, responseTime, failures } of checks) {
    const region = regions[id];
    if (!region?.latest || startedAt <= (region.startedAt ?? Number.POSITIVE_INFINITY)) continue;
    const latest = { ...region.latest, responseTime };
    const counted = { ...region, startedAt, resultAt, latest, failures: region.failures + failures };
    regions = { ...regions, [id]: counted };
    lastResultAt = Math.max(lastResultAt ?? resultAt, resultAt);
  }
  if (regions === state.regions) return state;
  const caughtUp = { ...state, regions, lastResultAt };
  const voters = votersOf(caughtUp).map(([, region]) => region);
  return { ...caughtUp, consecutiveFailures: consecutiveFailures(voters) };
}
