import type { Assertion } from '@/lib/checks/assertions/assertion';
import type { DryRun } from '@/lib/schemas/monitor/result';

/** A test of the form: which assertions it had, and what the check saw. */
export type Tested = Pick<DryRun, 'observed'> & {
  assertions: readonly Assertion[];
  outcomes: DryRun['assertions'];
};

/** What the last response makes of a row. */
export type JudgedAssertion = { state: 'passed' | 'failed' | 'unknown'; text: string };
