/** When a monitor flaps. Times are in milliseconds. */
export type FlappingLimits = {
  /** That many changes of status … */
  changes: number;
  /** … within this time are flapping. */
  withinMs: number;
  /** How long without a change a flapping monitor is steady. */
  steadyMs: number;
};

/** More than four changes in ten minutes, until there was none for ten minutes. */
export const FLAPPING: FlappingLimits = { changes: 5, withinMs: 600_000, steadyMs: 600_000 };

/** A period of the ledger. Times are epoch milliseconds. */
export type LedgerPeriod = {
  state: 'pending' | 'operational' | 'degraded' | 'down' | 'unknown' | 'paused' | 'maintenance';
  /** Whether checks decided it, unlike the end of an unknown period or of maintenance. */
  isDecided: boolean;
  /** Can be earlier than when it was decided. */
  from: number;
  decidedAt: number;
};

/** A change of the status of a monitor: since when it has the new one, and when that was decided. */
export type StatusChange = Pick<LedgerPeriod, 'from' | 'decidedAt'>;

const INTERRUPTIONS: ReadonlySet<string> = new Set(['pending', 'paused', 'maintenance']);

/**
 * The changes between down, degraded and operational among the latest periods of a monitor, newest first as these are. What was
 * before the monitor was last pending, paused or in maintenance does not count, nor does the first status after it was pending.
 */
export function listChanges(periods: readonly LedgerPeriod[]): StatusChange[] {
  const end = periods.findIndex(({ state }) => INTERRUPTIONS.has(state));
  const uninterrupted = end === -1 ? periods : periods.slice(0, end);
  const decided = uninterrupted.filter(({ state, isDecided }) => isDecided && state !== 'unknown');
  return periods[end]?.state === 'pending' ? decided.slice(0, -1) : decided;
}

/** What a change of status means. `begins`: it is one too many. `continues`: the monitor flaps already. */
export type FlappingDecision =
  | { kind: 'none' }
  | { kind: 'begins'; first: StatusChange }
  | { kind: 'continues' };

/**
 * Whether a monitor flaps with its latest change, given all its `changes`, newest first. Changes that were decided by `countedSince` do
 * not count: people were not notified of them anyway. With `begins` comes the first change that counts.
 */
export function decideFlapping(
  changes: readonly StatusChange[],
  { isFlapping, countedSince }: { isFlapping: boolean; countedSince: number | null },
  limits: FlappingLimits = FLAPPING,
): FlappingDecision {
  if (isFlapping) return { kind: 'continues' };
  const [last] = changes;
  const first = changes[limits.changes - 1];
  if (last === undefined || first === undefined) return { kind: 'none' };
  const isOften = last.decidedAt - first.decidedAt < limits.withinMs;
  const isCounted = countedSince === null || first.decidedAt > countedSince;
  return isOften && isCounted ? { kind: 'begins', first } : { kind: 'none' };
}

/** A monitor that flaps. Times are epoch milliseconds. */
type FlappingMonitor = {
  lastChangeAt: number;
  /** Whether it was paused, deleted or restarted since, or entered maintenance. */
  isInterrupted: boolean;
  /** Whether its checks give no data now. */
  isUnknown: boolean;
  /** Whether it is down or degraded while something that it depends on is down. */
  isSuppressed: boolean;
};

/** How long until a monitor that cannot be said to be steady is looked at again. */
const LOOK_EVERY_MS = 60_000;

/**
 * Whether a monitor has stopped flapping, or when to look again: it was interrupted, or has been steady for long enough. Without data
 * nobody knows whether it is steady, and nobody is notified of it while something that it depends on is down.
 */
export function decideSteady(
  { lastChangeAt, isInterrupted, isUnknown, isSuppressed }: FlappingMonitor,
  now: number,
  limits: FlappingLimits = FLAPPING,
): { kind: 'over' } | { kind: 'wait'; until: number } {
  if (isInterrupted) return { kind: 'over' };
  const steadyAt = lastChangeAt + limits.steadyMs;
  if (now < steadyAt) return { kind: 'wait', until: steadyAt };
  return isUnknown || isSuppressed ? { kind: 'wait', until: now + LOOK_EVERY_MS } : { kind: 'over' };
}
