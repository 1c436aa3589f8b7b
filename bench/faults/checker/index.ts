import type { Observations } from '../observations';
import { checkChanges } from './changes';
import { checkCurves } from './curves';
import { checkDeliveries } from './deliveries';
import { checkEvents } from './events';
import { checkHealth, checkLogs } from './health';
import { checkLedger } from './ledger';
import { checkPages } from './pages';
import { checkSlots } from './slots';
import { checkStatuses } from './statuses';
import { checkTruth } from './truth';
import { checkUptime } from './uptime';
import type { Violation } from './violation';

export { groupBy, type Violation } from './violation';

/**
 * Judges a run by what was seen from outside: it knows the contract and `decisions.md`, and nothing of the implementation. An
 * empty list means that every promise was kept.
 */
export function checkRun(seen: Observations): Violation[] {
  return [
    checkSlots,
    checkEvents,
    checkDeliveries,
    checkLedger,
    checkTruth,
    checkStatuses,
    checkChanges,
    checkUptime,
    checkPages,
    checkHealth,
    checkCurves,
    checkLogs,
  ].flatMap((rule) => rule(seen));
}
