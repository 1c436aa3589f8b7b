const MINUTE = 60_000;
const RETRY_DELAYS: readonly number[] = [1, 5, 30, 120].map((minutes) => minutes * MINUTE);

/** When to try a mail again after `failures` failed tries, the last of them at `failedAt`; null: never. */
export function nextMailAttemptAt(failures: number, failedAt: Date): Date | null {
  const delay = RETRY_DELAYS[failures - 1];
  return delay === undefined ? null : new Date(failedAt.getTime() + delay);
}
