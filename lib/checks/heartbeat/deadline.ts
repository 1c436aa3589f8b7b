import { type CronSchedule, nextRun } from './cron';

/** When a job is expected to call: some seconds after its last call, or on a schedule; and how late it may be, in seconds. */
export type CallPlan = { grace: number; period: number | null; schedule: CronSchedule | null };

/** A deadline, and when it was set; times are epoch milliseconds. */
export type Deadline = { at: number; setAt: number };

/** Time in which no call could be received, in epoch milliseconds. */
export type Gap = { from: number; to: number };

/** A call so shortly before a run of the schedule belongs to that run: the clock of its machine may be ahead. */
const EARLY_MS = 30_000;
/** A run may take this long, however short the grace. */
const MIN_RUN_MS = 60_000;
/** More failures in a row than any threshold asks for are not needed. */
const MAX_MISSED = 10;

/** When a job is late that called at `at`, or from which a call was expected until then; null if it is never due. */
export function deadlineAfter(plan: CallPlan, at: number): number | null {
  const expected = expectedAfter(plan, at);
  return expected === null ? null : expected + graceMs(plan);
}

/** The next times at which calls are expected, if the job calls at `at` and then on time: at most `count`, without grace. */
export function listExpected(plan: CallPlan, at: number, count: number): number[] {
  const expected: number[] = [];
  for (
    let next = expectedAfter(plan, at);
    next !== null && expected.length < count;
    next = expectedAfter(plan, next)
  ) {
    expected.push(next);
  }
  return expected;
}

/** When a run is late that began at `at`. */
export function runDeadline(plan: CallPlan, at: number): number {
  return at + Math.max(graceMs(plan), MIN_RUN_MS);
}

/** When the next call is expected, given its deadline. */
export function expectedBefore(plan: CallPlan, deadline: number): number {
  return deadline - graceMs(plan);
}

/**
 * The deadlines that were missed until `now`, oldest first, and the next one. A job that stays silent misses one deadline per
 * period or run of its schedule; at most ten are returned.
 */
export function missedUntil(
  plan: CallPlan,
  deadline: number,
  now: number,
): { missed: number[]; next: number | null } {
  const missed: number[] = [];
  let next: number | null = deadline;
  while (next !== null && next <= now && missed.length < MAX_MISSED) {
    missed.push(next);
    next = deadlineFollowing(plan, next);
  }
  if (next === null || next > now) return { missed, next };
  return { missed, next: deadlineFollowing(plan, now) };
}

/**
 * A deadline for which the time of `gaps` does not count. A call that was expected in one may be lost, which is not the fault of
 * the job: then its next one is awaited.
 */
export function extendDeadline(plan: CallPlan, { at, setAt }: Deadline, gaps: readonly Gap[]): number {
  let deadline = at;
  for (const { from, to } of gaps.toSorted((a, b) => a.from - b.from)) {
    const start = Math.max(from, setAt);
    if (to <= start || start >= deadline) continue;
    const earliest = expectedBefore(plan, deadline) - Math.max(graceMs(plan), EARLY_MS);
    deadline += to - start;
    if (to > earliest) deadline = Math.max(deadline, deadlineAfter(plan, to) ?? deadline);
  }
  return deadline;
}

function graceMs({ grace }: CallPlan): number {
  return grace * 1000;
}

function expectedAfter({ period, schedule }: CallPlan, at: number): number | null {
  if (period !== null) return at + period * 1000;
  return schedule === null ? null : nextRun(schedule, at + EARLY_MS);
}

/** The first deadline after a missed one, or after any other moment. */
function deadlineFollowing(plan: CallPlan, missed: number): number | null {
  const { period, schedule } = plan;
  if (period !== null) return missed + period * 1000;
  const next = schedule && nextRun(schedule, expectedBefore(plan, missed));
  return next === null ? null : next + graceMs(plan);
}
