const MINUTE = 60_000;

/** Waits before each retry, in milliseconds, counted from the failure before it (api.md, "Delivery and retry rules"). */
export const RETRY_DELAYS: readonly number[] = [1, 5, 30, 120, 1440].map((minutes) => minutes * MINUTE);

/** When to try again after `failures` failed tries, the last of them at `failedAt`; null when the schedule is used up. */
export function nextAttemptAt(failures: number, failedAt: Date): Date | null {
  const delay = RETRY_DELAYS[failures - 1];
  return delay === undefined ? null : new Date(failedAt.getTime() + delay);
}
