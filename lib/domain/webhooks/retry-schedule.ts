const MINUTE = 60_000;

/** Delay before each retry in milliseconds, from the previous failure. */
export const RETRY_DELAYS: readonly number[] = [1, 5, 30, 120, 1440].map((minutes) => minutes * MINUTE);

/** The time of the next attempt after `failures` failures, the latest at `failedAt`; null after the last retry. */
export function nextAttemptAt(failures: number, failedAt: Date): Date | null {
  const delay = RETRY_DELAYS[failures - 1];
  return delay === undefined ? null : new Date(failedAt.getTime() + delay);
}

/** An attempt of the schedule: the number of `of`, from 1. */
export type ScheduledAttempt = { number: number; of: number };

/** The attempt of the schedule that follows `failures` failures. A delivery without more is no longer pending. */
export function nextScheduledAttempt(failures: number): ScheduledAttempt {
  return { number: failures + 1, of: RETRY_DELAYS.length + 1 };
}
