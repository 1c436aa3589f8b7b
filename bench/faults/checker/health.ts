import type { Observations } from '../observations';
import { formatMoment, isDisturbed, type Violation } from './violation';

/** How often health may be wrong for a moment outside faults: a busy machine at factor 20. */
const MAX_GLITCHES = 3;
const MAX_HISTORY = 10;

/** Outside faults and the recovery from them, health is 200; a web process that does not respond counts as 503. */
export function checkHealth(seen: Observations): Violation[] {
  const bad = seen.health.filter(({ at, status }) => status !== 200 && !isDisturbed(seen, at, at));
  if (bad.length <= MAX_GLITCHES) return [];
  return [
    {
      rule: 'health is 200 outside faults',
      object: [...new Set(bad.map(({ web }) => web))].join(', '),
      message: `${bad.length} of ${seen.health.length} samples were not`,
      dependsOnPace: true,
      history: bad
        .slice(0, MAX_HISTORY)
        .map(
          ({ web, at, status, down }) =>
            `${formatMoment(seen, at)} ${web}: ${status ?? 'no response'} ${down}`,
        ),
    },
  ];
}

/** Every error in the logs names its object. */
export function checkLogs({ namelessErrors }: Observations): Violation[] {
  if (namelessErrors.length === 0) return [];
  return [
    {
      rule: 'errors name their object',
      object: 'logs',
      message: `${namelessErrors.length} lines do not`,
      history: namelessErrors.slice(0, MAX_HISTORY),
    },
  ];
}
