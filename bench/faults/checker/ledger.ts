import type { Observations, ShownTransition, WatchedMonitor } from '../observations';
import { isTouched } from './slots';
import { formatMoment, groupBy, RECOVERY_MS, type Violation } from './violation';

/** The ledger of a monitor has no gaps and no overlaps, and once all targets work again, every monitor is operational. */
export function checkLedger(seen: Observations): Violation[] {
  const transitions = groupBy(seen.transitions, ({ monitorId }) => monitorId);
  return seen.monitors.flatMap((monitor) => {
    if (monitor.deletedAt !== null) return [];
    // The API lists the newest first. Periods of no length keep their order.
    const own = (transitions.get(monitor.id) ?? []).toReversed().toSorted((a, b) => a.at - b.at);
    return [...findGaps(seen, monitor, own), ...findLasting(seen, monitor, own)];
  });
}

function findGaps(seen: Observations, { id }: WatchedMonitor, own: ShownTransition[]): Violation[] {
  return own.flatMap((transition, index): Violation[] => {
    const next = own[index + 1];
    if (transition.endedAt === (next?.at ?? null)) return [];
    return [
      {
        rule: 'the ledger has no gaps and no overlaps',
        object: id,
        message: `${transition.to} does not end where ${next ? next.to : 'nothing'} begins`,
        history: own.slice(Math.max(0, index - 1), index + 2).map((each) => formatPeriod(seen, each)),
      },
    ];
  });
}

function findLasting(seen: Observations, monitor: WatchedMonitor, own: ShownTransition[]): Violation[] {
  const last = own.at(-1);
  const isNew = monitor.createdAt > seen.startedAt + seen.plan.quietMs;
  const isBusy = isTouched(monitor, seen.endedAt - RECOVERY_MS, seen.endedAt);
  if (isNew || isBusy || last?.to === 'operational') return [];
  return [
    {
      rule: 'everything recovers',
      object: monitor.id,
      message: `${last?.to ?? 'without a status'}, ${(seen.plan.endMs - seen.plan.quietMs) / 1000} s after all faults and outages`,
      history: own.slice(-3).map((each) => formatPeriod(seen, each)),
    },
  ];
}

function formatPeriod(seen: Observations, { to, at, endedAt, decidedAt }: ShownTransition): string {
  const end = endedAt === null ? 'now' : formatMoment(seen, endedAt);
  return `${to} from ${formatMoment(seen, at)} to ${end}, decided at ${formatMoment(seen, decidedAt)}`;
}
