import type { Observations, ShownIncident, WatchedMonitor } from '../observations';
import { BOUND_MS, type ModelIncident } from './model';
import { formatMoment, type Violation } from './violation';

/** How far the moments may be apart that depend on when the service came to it: a decision, and the end by a pause. */
const TOLERANCE_MS = 120_000;

/** A monitor has the automatic incidents of its model: one for each outage, from its beginning to its end. */
export function compareIncidents(
  seen: Observations,
  { id }: WatchedMonitor,
  expected: ModelIncident[],
): Violation[] {
  const shown = seen.incidents
    .filter(({ monitorIds }) => monitorIds.includes(id))
    .toSorted((a, b) => a.createdAt - b.createdAt);
  const length = Math.max(shown.length, expected.length);
  const index = Array.from({ length }, (_, place) => place).find(
    (place) => !isSame(shown[place], expected[place]),
  );
  if (index === undefined) return [];
  return [
    {
      rule: 'one incident per outage',
      object: id,
      message: `${format(seen, shown[index])} instead of ${format(seen, expected[index])}`,
      history: shown.slice(Math.max(0, index - 2), index).map((each) => format(seen, each)),
    },
  ];
}

function isSame(shown: ShownIncident | undefined, expected: ModelIncident | undefined): boolean {
  if (!shown || !expected) return false;
  return (
    shown.severity === expected.severity &&
    shown.status === expected.status &&
    Math.abs(shown.startedAt - expected.startedAt) <= (expected.isBounded ? BOUND_MS : 0) &&
    Math.abs(shown.createdAt - expected.createdAt) <= TOLERANCE_MS &&
    Math.abs((shown.resolvedAt ?? 0) - (expected.resolvedAt ?? 0)) <= TOLERANCE_MS
  );
}

function format(seen: Observations, incident: ShownIncident | ModelIncident | undefined): string {
  if (!incident) return 'none';
  const { severity, status, startedAt, createdAt, resolvedAt } = incident;
  const end = resolvedAt === null ? 'now' : formatMoment(seen, resolvedAt);
  return `${severity} ${status} from ${formatMoment(seen, startedAt)} to ${end}, created at ${formatMoment(seen, createdAt)}`;
}
