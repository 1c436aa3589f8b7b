import type { Observations, ShownTransition, WatchedMonitor } from '../observations';
import { modeAt, type Region } from '../plan';
import { isTouched } from './slots';
import { formatMoment, groupBy, isDisturbed, type Violation } from './violation';

/** Time for a check to begin, to end and to be recorded, beyond its interval and timeout, in virtual milliseconds. */
const SLACK_MS = 60_000;

/**
 * No monitor is down unless the targets of a quorum failed, and none stays up through a failure of all of its regions for longer
 * than its thresholds allow.
 */
export function checkTruth(seen: Observations): Violation[] {
  const transitions = groupBy(seen.transitions, ({ monitorId }) => monitorId);
  return seen.monitors.flatMap((monitor) => {
    if (monitor.deletedAt !== null) return [];
    const own = transitions.get(monitor.id) ?? [];
    return [...findFalseAlarms(seen, monitor, own), ...findUnseenOutages(seen, monitor, own)];
  });
}

function findFalseAlarms(seen: Observations, monitor: WatchedMonitor, own: ShownTransition[]): Violation[] {
  const { regions, interval, timeout, alertThreshold } = monitor.plan;
  const quorum = Math.floor(regions.length / 2) + 1;
  return own.flatMap((transition): Violation[] => {
    if (transition.to !== 'down' || isDisturbed(seen, transition.at, transition.decidedAt)) return [];
    // From the first check of the run that a verdict needs.
    const from = transition.decidedAt - (alertThreshold + 2) * interval * 1000 - timeout * 1000 - SLACK_MS;
    const failed = regions.filter((region) =>
      failedWithin(seen, monitor, region, from, transition.decidedAt),
    );
    if (failed.length >= quorum) return [];
    return [
      {
        rule: 'no false alarm',
        object: monitor.id,
        message: `down, but targets failed in ${failed.length} of ${regions.length} regions`,
        history: [
          `down from ${formatMoment(seen, transition.at)}, decided at ${formatMoment(seen, transition.decidedAt)}`,
          ...formatResults(seen, monitor, from, transition.decidedAt),
        ],
      },
    ];
  });
}

function failedWithin(
  seen: Observations,
  { plan }: WatchedMonitor,
  region: Region,
  from: number,
  to: number,
): boolean {
  let at = seen.startedAt;
  for (const { untilMs, mode } of plan.spells[region]) {
    const until = seen.startedAt + untilMs;
    if ((mode === 'error' || mode === 'hang') && at <= to && from <= until) return true;
    at = until;
  }
  return false;
}

/** Spells in which every region fails for long enough that the monitor must be down at their end. */
function findUnseenOutages(seen: Observations, monitor: WatchedMonitor, own: ShownTransition[]): Violation[] {
  const { plan } = monitor;
  const neededMs = (plan.alertThreshold * plan.interval + plan.timeout) * 1000 + SLACK_MS;
  let from = seen.startedAt;
  return plan.spells[plan.regions[0] ?? 'us-east'].flatMap(({ untilMs, mode }): Violation[] => {
    const [start, end] = [from, Math.min(seen.startedAt + untilMs, seen.endedAt)];
    from = end;
    if (mode !== 'error' || end - start < neededMs || start < monitor.createdAt) return [];
    const fails = plan.regions.every((region) =>
      [start, (start + end) / 2, end - 1].every(
        (at) => modeAt(plan.spells[region], at - seen.startedAt) === 'error',
      ),
    );
    if (!fails || isDisturbed(seen, start, end) || isTouched(monitor, start, end)) return [];
    if (own.some(({ to, at, endedAt }) => to === 'down' && at < end && (endedAt ?? end) >= end)) return [];
    return [
      {
        rule: 'no outage is missed',
        object: monitor.id,
        message: `not down at the end of an outage of ${Math.round((end - start) / 1000)} s in all regions`,
        history: [
          `targets fail from ${formatMoment(seen, start)} to ${formatMoment(seen, end)}`,
          ...own.map(({ to, at }) => `${to} from ${formatMoment(seen, at)}`),
          ...formatResults(seen, monitor, start, end),
        ],
      },
    ];
  });
}

function formatResults(seen: Observations, { id }: WatchedMonitor, from: number, to: number): string[] {
  return seen.results
    .filter(({ monitorId, checkedAt }) => monitorId === id && from <= checkedAt && checkedAt <= to)
    .map(({ region, checkedAt, outcome, errorCode }) =>
      [formatMoment(seen, checkedAt), region, outcome, errorCode ?? ''].join(' ').trim(),
    );
}
