import type { Observations, ShownTransition } from '../observations';
import { groupBy, type Violation } from './violation';

/** The monitors are read this long after the pages at most, in virtual milliseconds. */
const READ_MS = 60_000;
/** A change between reading the monitor and reading its transitions may count in one of them only. */
export const TOLERANCE = 0.02;
/** The states that count for uptime, from best to worst. */
export const KNOWN = ['operational', 'degraded', 'down'];

/** The uptime that the API shows is the time not down in its ledger, divided by the known time. */
export function checkUptime(seen: Observations): Violation[] {
  const transitions = groupBy(seen.transitions, ({ monitorId }) => monitorId);
  const readAt = Math.max(seen.endedAt, ...seen.pages.map((page) => page.readAt)) + READ_MS;
  return seen.monitors.flatMap(({ id }): Violation[] => {
    const shown = seen.uptimes[id];
    const own = transitions.get(id);
    if (shown === undefined || !own) return [];
    const expected = integrate(own, seen.endedAt);
    // It is cut to two decimals.
    const range = [integrate(own, readAt), expected];
    const [least, most] = [Math.min(...range) - TOLERANCE, Math.max(...range) + TOLERANCE];
    if (least <= shown && shown <= most) return [];
    const history = own.map(
      ({ to, at, endedAt }) => `${to} for ${((endedAt ?? seen.endedAt) - at) / 1000} s`,
    );
    return [
      {
        rule: 'uptime is the integral of the ledger',
        object: id,
        message: `${shown} % is shown, the ledger has ${expected.toFixed(2)} %`,
        history,
      },
    ];
  });
}

/** The percentage of known time that was not down. */
export function integrate(own: ShownTransition[], now: number): number {
  let [up, known] = [0, 0];
  for (const { to, at, endedAt } of own) {
    if (!KNOWN.includes(to)) continue;
    const length = Math.max(0, (endedAt ?? now) - at);
    known += length;
    if (to !== 'down') up += length;
  }
  return known === 0 ? 100 : (up / known) * 100;
}
