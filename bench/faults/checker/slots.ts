import type { Change, Observations, StoredResult, WatchedMonitor } from '../observations';
import { MAINTENANCE_MS } from '../plan';
import { disturbedMs, formatMoment, groupBy, type Violation } from './violation';

/** A check begins at most this late without a fault, in virtual milliseconds: two and a half seconds of a busy machine at factor 20. */
const LATE_MS = 50_000;
/** How long after a change of a monitor its schedule may be irregular, in virtual milliseconds. */
const SETTLE_MS = 90_000;

/** How many checks of a region may confirm a first failure. */
const MAX_CONFIRMATIONS = 10;

/**
 * A slot (monitor, region, time on the grid) has at most one recorded result, except for those that confirm a failure, and slots
 * are missed only within a fault and the recovery from it.
 */
export function checkSlots(seen: Observations): Violation[] {
  const results = groupBy(seen.results, ({ monitorId }) => monitorId);
  return seen.monitors.flatMap((monitor) => {
    const all = (results.get(monitor.id) ?? []).toSorted((a, b) => a.checkedAt - b.checkedAt);
    const failedAt = all.filter(({ outcome }) => outcome === 'failed').map(({ checkedAt }) => checkedAt);
    return monitor.plan.regions.flatMap((region) => {
      const own = all.filter((result) => result.region === region);
      return [...findDoubles(seen, monitor, own, failedAt), ...findMissed(seen, monitor, own, region)];
    });
  });
}

function findDoubles(
  seen: Observations,
  monitor: WatchedMonitor,
  own: StoredResult[],
  failedAt: readonly number[],
): Violation[] {
  const intervalMs = monitor.plan.interval * 1000;
  const slots = new Map<number, StoredResult>();
  const violations: Violation[] = [];
  let confirming = 0;
  for (const result of own) {
    const phase = seen.phases[`${monitor.id} ${result.region}`];
    // The first check, also after a change, is made immediately instead of in a slot.
    if (phase === undefined || isIrregular(monitor, result.checkedAt, intervalMs)) continue;
    const slot = Math.floor((result.checkedAt - (phase / 10_000) * intervalMs) / intervalMs);
    const before = slots.get(slot);
    slots.set(slot, result);
    // What is unknown because the worker had no network is checked again as soon as it has.
    if (!before || before.outcome === 'unknown') continue;
    const returned = (result.checkedAt - monitor.createdAt) / intervalMs;
    if (isConfirming(monitor, failedAt, result.checkedAt) && ++confirming <= MAX_CONFIRMATIONS + returned)
      continue;
    violations.push({
      rule: 'one result per slot',
      object: monitor.id,
      message: `${result.region} has two results for one slot of ${monitor.plan.interval} s`,
      history: [before, result].map(
        (each) => `checked at ${formatMoment(seen, each.checkedAt)}: ${each.outcome}`,
      ),
    });
  }
  return violations;
}

/** Whether checks off the grid can be due: some region saw a failure, at most as long ago as a slot and a whole run of them take. */
function isConfirming({ plan }: WatchedMonitor, failedAt: readonly number[], at: number): boolean {
  if (plan.confirmInterval === null) return false;
  const runMs = MAX_CONFIRMATIONS * Math.max(plan.confirmInterval, plan.timeout) * 1000;
  const reachMs = plan.interval * 1000 + runMs + LATE_MS;
  return failedAt.some((moment) => moment <= at && at - moment <= reachMs);
}

function findMissed(
  seen: Observations,
  monitor: WatchedMonitor,
  own: StoredResult[],
  region: string,
): Violation[] {
  // Its results were deleted with it.
  if (monitor.deletedAt !== null) return [];
  const intervalMs = monitor.plan.interval * 1000;
  const allowed = intervalMs + monitor.plan.timeout * 1000 + LATE_MS;
  const moments = [monitor.createdAt, ...own.map(({ checkedAt }) => checkedAt), seen.endedAt];
  return moments.slice(1).flatMap((to, index): Violation[] => {
    const from = moments[index] ?? to;
    if (to - from <= allowed + disturbedMs(seen, from, to) || isTouched(monitor, from, to)) return [];
    return [
      {
        rule: 'no slot is missed',
        object: monitor.id,
        dependsOnPace: true,
        message: `no check in ${region} for ${Math.round((to - from) / 1000)} s at an interval of ${monitor.plan.interval} s`,
        history: [`from ${formatMoment(seen, from)} to ${formatMoment(seen, to)}, outside faults`],
      },
    ];
  });
}

function isIrregular(monitor: WatchedMonitor, at: number, intervalMs: number): boolean {
  return at < monitor.createdAt + 2 * intervalMs || isTouched(monitor, at - intervalMs, at, intervalMs);
}

/** Whether a person changed the monitor in a span of time, or `settleMs` before: its schedule starts over then, or it has none. */
export function isTouched(
  { changes }: WatchedMonitor,
  from: number,
  to: number,
  settleMs = SETTLE_MS,
): boolean {
  return changes.some((change) => change.from <= to && from <= endOf(change, changes) + settleMs);
}

function endOf({ kind, from, to }: Change, changes: Change[]): number {
  if (kind === 'maintenance') return to + MAINTENANCE_MS;
  if (kind !== 'pause') return to;
  return (
    changes.find((later) => later.kind === 'resume' && later.from >= from)?.to ?? Number.MAX_SAFE_INTEGER
  );
}
