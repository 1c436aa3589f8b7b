import { type Assertion, isNegative } from '@/lib/checks/assertions/assertion';
import { evaluateAssertions } from '@/lib/checks/assertions/evaluate';
import { findProblem } from '@/lib/checks/assertions/find-problem';
import type { JudgedAssertion, Tested } from './judged';

export type Judge = typeof judgeRows;

/** What the response of the last test makes of assertions. A row that was tested as it is has the outcome of the test. */
export function judgeRows(
  assertions: readonly Assertion[],
  { observed, assertions: tested, outcomes }: Tested,
): JudgedAssertion[] {
  return assertions.map((assertion, index) => {
    const isSame = JSON.stringify(assertion) === JSON.stringify(tested[index]);
    const known = isSame ? outcomes[index] : undefined;
    if (known) return toJudged(known.passed, known.actual, known.message);
    const problem = findProblem(assertion);
    if (problem !== null) return { state: 'unknown', text: `The ${problem.part} ${problem.message}.` };
    if (observed === null) return { state: 'unknown', text: 'The last test had no response.' };
    const [outcome] = evaluateAssertions([assertion], observed);
    if (observed.bodyEnd !== null && outcome && mayChange(assertion, outcome.holds)) {
      return {
        state: 'unknown',
        text: `Test again: only the first ${observed.bodyEnd} of the body is kept here.`,
      };
    }
    return toJudged(outcome?.holds ?? false, outcome?.actual ?? null, outcome?.detail ?? null);
  });
}

/** Whether the rest of a body could change an outcome. */
function mayChange({ source, comparison }: Assertion, holds: boolean): boolean {
  if (source === 'json') return true;
  return source === 'body' && holds === isNegative(comparison);
}

function toJudged(passed: boolean, actual: string | null, message: string | null): JudgedAssertion {
  if (passed) return { state: 'passed', text: actual ?? 'Not present.' };
  const text = message ?? '';
  return { state: 'failed', text: `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.` };
}
