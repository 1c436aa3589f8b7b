import { count, log } from '../playground';
import { checkRun, groupBy, type Violation } from './checker';
import type { Observations } from './observations';

/** Printed per rule; the rest is counted. */
const MAX_PRINTED = 5;
const MAX_HISTORY = 25;

/** Prints what was seen and every broken promise, and returns them. */
export function judge(seen: Observations): Violation[] {
  const violations = checkRun(seen);
  printSummary(seen);
  printViolations(violations);
  return violations;
}

function printSummary({ results, received, transitions, faults, monitors, health }: Observations): void {
  const requests = `${count(received.length)} webhook requests`;
  log(
    `${count(results.length)} results of ${monitors.length} monitors, ${count(transitions.length)} transitions, ${requests}, ` +
      `${faults.length} faults, ${count(health.length)} health samples`,
  );
}

function printViolations(violations: Violation[]): void {
  for (const [rule, all] of groupBy(violations, (violation) => violation.rule)) {
    // The smallest history that shows it comes first.
    const sorted = all.toSorted((a, b) => a.history.length - b.history.length);
    console.error(`BROKEN: ${rule}: ${all.length} times`);
    for (const { object, message, history } of sorted.slice(0, MAX_PRINTED)) {
      console.error(`  ${object}: ${message}`);
      for (const line of history.slice(0, MAX_HISTORY)) console.error(`    ${line}`);
    }
  }
  if (violations.length === 0) console.log('no promise was broken');
}
