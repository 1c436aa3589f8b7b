/** What a worker knows of one of its apps. */
export type Watched = {
  /** Since when every drain of it has been woken by Inngest, on whichever worker; before that, when this worker started. */
  wokenAt: Date;
  /** Since when work of it waits that this worker is not doing; null: none does. */
  neglectedSince: Date | null;
  /** Since when this worker wakes it itself; null: it does not. */
  standsInSince: Date | null;
};

/** So late may work be before a worker does it unasked. */
export const PATIENCE_MS = 20_000;
/**
 * A sweep comes every minute; so long without one, Inngest is silent even where no work waits, or a drain goes on by
 * itself.
 */
const SILENCE_MS = 90_000;
/** A drain goes on for 70 s after the sweep that began it: work that is overdue so long after one was never begun. */
const NOT_WOKEN_MS = 85_000;

/** Whether a worker has to wake an app itself, may leave it to Inngest again, or goes on as it is. */
export function judgeSilence(
  { wokenAt, neglectedSince, standsInSince }: Watched,
  now: Date,
): 'stand in' | 'step back' | 'go on' {
  if (standsInSince !== null) return wokenAt > standsInSince ? 'step back' : 'go on';
  const isOverdue = neglectedSince !== null && elapsed(neglectedSince, now) > PATIENCE_MS;
  return isOverdue || elapsed(wokenAt, now) > SILENCE_MS ? 'stand in' : 'go on';
}

/**
 * Since when Inngest is silent about an app, as people are told; null: it is not. A worker that stands in for one that died
 * a moment ago is no reason to blame Inngest.
 */
export function silentSince({ wokenAt, standsInSince }: Watched, now: Date): Date | null {
  return standsInSince !== null && elapsed(wokenAt, now) > NOT_WOKEN_MS ? wokenAt : null;
}

function elapsed(from: Date, to: Date): number {
  return to.getTime() - from.getTime();
}
