import type { ReplayedAlert } from './replay';

/** The alerts of one replay that have no counterpart in another: each counterpart answers for one alert only. */
export type AlertChanges = { avoided: ReplayedAlert[]; added: ReplayedAlert[] };

/**
 * Which alerts go and which come when `proposed` is in force instead of `current`. Two are the same where both tell of
 * the same status and overlap in time; both lists are in the order of time, and so are the answers.
 */
export function compareAlerts(
  current: readonly ReplayedAlert[],
  proposed: readonly ReplayedAlert[],
): AlertChanges {
  const kept = new Set<ReplayedAlert>();
  const avoided = current.filter((alert) => {
    const same = proposed.find((other) => !kept.has(other) && isSame(alert, other));
    if (same) kept.add(same);
    return same === undefined;
  });
  return { avoided, added: proposed.filter((alert) => !kept.has(alert)) };
}

function isSame(a: ReplayedAlert, b: ReplayedAlert): boolean {
  return a.status === b.status && a.since <= endOf(b) && b.since <= endOf(a);
}

function endOf({ until }: ReplayedAlert): number {
  return until ?? Number.POSITIVE_INFINITY;
}
