/** How long the check of a dependency can delay an announcement, unless its timeout is shorter. */
const MAX_CHECK_MS = 10_000;
/** How long an announcement waits for a dependency whose checks fail, but that is not down yet. */
const MAX_DOUBT_MS = 60_000;

/** A monitor that another depends on, directly or not. Times are epoch milliseconds. */
export type Ancestor = {
  id: string;
  name: string;
  /** Whether its status counts: it is enabled, not in maintenance, and has data. */
  isWatched: boolean;
  isDown: boolean;
  /** Whether its last checks failed, though not often enough for it to be down. */
  isDoubtful: boolean;
  /** Whether workers can check it at once. */
  isProbed: boolean;
  /** Since when no more than a minority of its regions have begun a check; null if unknown. */
  checkedAt: number | null;
  timeoutMs: number;
  /** When its status was decided; null if unknown. */
  changedAt: number | null;
};

/** A change of a monitor that is to be announced. */
export type Held = {
  heldAt: number;
  /** The ancestor whose outage suppressed it until now; null: none did. */
  causedBy: string | null;
  /** Of the monitor. */
  intervalMs: number;
};

export type Decision =
  | { kind: 'announce' }
  /** Not while this ancestor is down. */
  | { kind: 'suppress'; causedBy: Pick<Ancestor, 'id' | 'name'> }
  /** Decide again when one of the `unclear` ancestors is checked, at the latest at `until`. */
  | { kind: 'wait'; until: number; unclear: string[] };

/**
 * Whether people are notified of a change of a monitor, given what it depends on, nearest first. Ancestors that are down suppress it. If
 * it is not, it waits until those that can be checked were, as long as that takes no longer than the timeout of their checks or ten
 * seconds, and at most a minute while checks fail. What was suppressed waits for one interval after the recovery of its cause, in which
 * the monitor can recover too.
 */
export function decideAnnouncement(held: Held, ancestors: readonly Ancestor[], now: number): Decision {
  const { heldAt, causedBy, intervalMs } = held;
  const watched = ancestors.filter(({ isWatched }) => isWatched);
  const down = watched.find(({ isDown }) => isDown);
  if (down) return { kind: 'suppress', causedBy: { id: down.id, name: down.name } };
  if (causedBy !== null) {
    const cause = watched.find(({ id }) => id === causedBy);
    const until = (cause?.changedAt ?? Number.NEGATIVE_INFINITY) + intervalMs;
    return now < until ? { kind: 'wait', until, unclear: [] } : { kind: 'announce' };
  }
  const doubtful = watched.filter(({ isDoubtful }) => isDoubtful);
  const unchecked = watched.filter(({ isProbed, checkedAt }) => isProbed && (checkedAt ?? 0) <= heldAt);
  const longest = Math.max(0, ...unchecked.map(({ timeoutMs }) => timeoutMs));
  const until = heldAt + (doubtful.length > 0 ? MAX_DOUBT_MS : Math.min(longest, MAX_CHECK_MS));
  if (now >= until) return { kind: 'announce' };
  return { kind: 'wait', until, unclear: [...new Set([...doubtful, ...unchecked].map(({ id }) => id))] };
}
