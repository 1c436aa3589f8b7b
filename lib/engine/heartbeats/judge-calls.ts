import {
  type CallPlan,
  deadlineAfter,
  expectedBefore,
  extendDeadline,
  type Gap,
  missedUntil,
  runDeadline,
} from '@/lib/checks/heartbeat/deadline';
import type { ProbeErrorCode } from '@/lib/checks/result';
import { formatDuration, formatExact } from '@/lib/core/time/duration';
import type { SealedEvidence } from '@/lib/domain/monitors/evidence/sealed-evidence';
import { addRun, type OpenRun, takeRun } from './open-runs';

/** What a job reported, and when, in epoch milliseconds. */
export type HeartbeatCall = {
  kind: 'start' | 'success' | 'failure';
  /** Which run starts or ends; null: not reported. */
  rid: string | null;
  at: number;
  message: string | null;
  /** The output of the job, if it may be kept. */
  evidence?: SealedEvidence | undefined;
};

/** What is known of the calls of a job, as in its row. Times are epoch milliseconds. */
export type CallState = {
  calledAt: number | null;
  runStartedAt: number | null;
  /** Those with an ID, oldest first. */
  runs: OpenRun[];
  deadlineAt: number | null;
  countedFrom: number | null;
  lateSince: number | null;
};

/** A result of a monitor that follows from a call, or from the lack of one. */
export type HeartbeatResult = {
  at: number;
  /** Milliseconds from start to end of the run; null if its start was not reported. */
  responseTime: number | null;
  error: { code: ProbeErrorCode; message: string } | null;
  evidence?: SealedEvidence | undefined;
};

export type Judged = { state: CallState; results: HeartbeatResult[] };

/** The longest duration that can be stored: 24 days. */
const MAX_DURATION_MS = 2 ** 31 - 1;

/** What follows from the passing of time: a failure for each deadline missed, unless calls could not be received. */
export function judgeSilence(plan: CallPlan, state: CallState, gaps: readonly Gap[], now: number): Judged {
  const { deadlineAt } = state;
  if (deadlineAt === null || deadlineAt > now) return { state, results: [] };
  const deadline = extendDeadline(plan, { at: deadlineAt, setAt: state.countedFrom ?? deadlineAt }, gaps);
  if (deadline > now) return { state: { ...state, deadlineAt: deadline, countedFrom: now }, results: [] };
  const { missed, next } = missedUntil(plan, deadline, now);
  const [first = deadline] = missed;
  return {
    state: { ...state, deadlineAt: next, countedFrom: now, lateSince: state.lateSince ?? first },
    results: missed.map((at) => {
      const message = formatLate(plan, state, at);
      return { at, responseTime: null, error: { code: 'late', message } };
    }),
  };
}

/** What follows from a call. The start of a run is no result, but its end is due from then on. */
export function judgeCall(plan: CallPlan, state: CallState, call: HeartbeatCall): Judged {
  const { kind, rid, at, evidence } = call;
  if (kind === 'start') {
    const due = runDeadline(plan, at);
    const isSooner = state.deadlineAt === null || due < state.deadlineAt;
    const deadline = isSooner ? { deadlineAt: due, countedFrom: at } : {};
    const runs = rid === null ? state.runs : addRun(state.runs, { rid, startedAt: at });
    return { state: { ...state, calledAt: at, runStartedAt: at, runs, ...deadline }, results: [] };
  }
  const taken = takeRun(state.runs, rid);
  const startedAt = taken ? taken.run.startedAt : state.runStartedAt;
  const responseTime = startedAt === null ? null : Math.min(Math.max(0, at - startedAt), MAX_DURATION_MS);
  const runs = taken ? taken.rest : state.runs;
  // Only the run that started last is awaited: one that broke off may have been repeated.
  const runStartedAt = startedAt === state.runStartedAt ? null : state.runStartedAt;
  return {
    state: {
      calledAt: at,
      runStartedAt,
      runs,
      deadlineAt: soonest(plan, runStartedAt, at),
      countedFrom: at,
      lateSince: null,
    },
    results: [{ at, responseTime, error: errorOf(call), evidence }],
  };
}

/** When the next call is late after one at `at`, or before that the run that is open, unless it is late already. */
function soonest(plan: CallPlan, runStartedAt: number | null, at: number): number | null {
  const next = deadlineAfter(plan, at);
  const due = runStartedAt === null ? at : runDeadline(plan, runStartedAt);
  return due <= at ? next : Math.min(due, next ?? due);
}

/** What a call that ends a run reports; null for a success. */
export function errorOf({
  kind,
  message,
}: Pick<HeartbeatCall, 'kind' | 'message'>): HeartbeatResult['error'] {
  if (kind === 'success') return null;
  return { code: 'reported', message: message ?? 'the job reported a failure' };
}

function formatLate(plan: CallPlan, { calledAt, runStartedAt }: CallState, deadline: number): string {
  const grace = formatDuration(plan.grace * 1000);
  if (runStartedAt !== null && deadline === runDeadline(plan, runStartedAt)) {
    return `the run that started at ${formatExact(new Date(runStartedAt))} did not end within ${grace}`;
  }
  const since = calledAt === null ? 'no heartbeat' : `no heartbeat since ${formatExact(new Date(calledAt))}`;
  if (plan.period !== null) return `${since}; expected every ${formatDuration(plan.period * 1000)}`;
  return `${since}; expected at ${formatExact(new Date(expectedBefore(plan, deadline)))}`;
}
