import type { Change, Observations, ShownTransition, WatchedMonitor } from '../observations';
import { formatMoment, groupBy, type Violation } from './violation';

/** How far the clocks of two processes may be apart, in virtual milliseconds. */
const SKEW_MS = 10_000;
/** Upkeep begins a maintenance window this long after its start, faults included. */
const UPKEEP_MS = 300_000;

/** What begins a state of the ledger that no result begins. */
const CAUSES: Record<string, Change['kind'][]> = {
  // A state that cannot be read starts over.
  pending: ['edit', 'resume', 'poison'],
  paused: ['pause'],
  maintenance: ['maintenance', 'resume'],
};

/** What people change shows in the ledger when they change it, and nothing else starts a monitor over, pauses it or hides it. */
export function checkChanges(seen: Observations): Violation[] {
  const transitions = groupBy(seen.transitions, ({ monitorId }) => monitorId);
  return seen.monitors.flatMap((monitor) => {
    const shown = (transitions.get(monitor.id) ?? []).toSorted((a, b) => a.decidedAt - b.decidedAt);
    if (monitor.deletedAt !== null) return [];
    const problems = [...findUncaused(monitor, shown), ...findLost(monitor, shown)];
    return problems.map(({ at, message }) => ({
      rule: 'changes show in the ledger',
      object: monitor.id,
      message: `${message} at ${formatMoment(seen, at)}`,
      history: [
        ...monitor.changes.map(
          ({ kind, from, to, status }) =>
            `${kind} from ${formatMoment(seen, from)} to ${formatMoment(seen, to)}: ${status}`,
        ),
        ...shown.map(({ to, decidedAt }) => `${to}, decided at ${formatMoment(seen, decidedAt)}`),
      ],
    }));
  });
}

type Problem = { at: number; message: string };

const isDone = ({ status }: Change) => status < 300;

function findUncaused({ changes }: WatchedMonitor, shown: ShownTransition[]): Problem[] {
  return shown.slice(1).flatMap(({ from, to, decidedAt }) => {
    const kinds = CAUSES[to];
    // At the end of maintenance, a monitor that was changed meanwhile is pending.
    if (!kinds || from === 'maintenance') return [];
    const isCaused = changes.some(
      (change) =>
        kinds.includes(change.kind) &&
        change.from - SKEW_MS <= decidedAt &&
        decidedAt <= change.to + (to === 'maintenance' ? UPKEEP_MS : SKEW_MS),
    );
    return isCaused ? [] : [{ at: decidedAt, message: `${to} without a cause` }];
  });
}

function findLost({ changes }: WatchedMonitor, shown: ShownTransition[]): Problem[] {
  let isEnabled = true;
  return changes.filter(isDone).flatMap((change) => {
    const { kind, from, to } = change;
    if (kind === 'poison') return [];
    const before = isEnabled;
    if (kind === 'pause' || kind === 'resume') isEnabled = kind === 'resume';
    const state = shown.findLast(({ decidedAt }) => decidedAt <= from)?.to;
    const hasEffect = kind === 'edit' ? before && state !== 'maintenance' : before !== isEnabled;
    const isShown = shown.some(
      (each) =>
        CAUSES[each.to]?.includes(kind) && from - SKEW_MS <= each.decidedAt && each.decidedAt <= to + SKEW_MS,
    );
    return hasEffect && !isShown ? [{ at: from, message: `nothing shows the ${kind}` }] : [];
  });
}
