import type { Assertion } from '@/lib/checks/assertions/assertion';
import { monitorFields } from '@/lib/schemas/monitor/fields';
import type { Draft } from './draft';
import { shown } from './sentences';

/** An assertion without the parts that are null. */
export type NewAssertion = Pick<Assertion, 'source' | 'comparison'> & Partial<Assertion>;

/** Adds assertions that only hold together. Returns false, and adds none, if Pharos does not permit one or has no space for it. */
export function addAssertions(draft: Draft, ...added: readonly NewAssertion[]): boolean {
  const all = [...(draft.body.assertions ?? []), ...added];
  const parsed = monitorFields.assertions.safeParse(all);
  if (parsed.success) draft.body.assertions = parsed.data;
  return parsed.success;
}

/** Adds a sentence that a condition is not imported, and why. `subject` must not contain what it is compared with, which can be secret. */
export function leaveOut(draft: Draft, subject: string, why: string): void {
  draft.change(`The condition on ${shown(subject)} is not imported: ${why}.`);
}

/** Why an assertion that has a counterpart was not added. */
export const NO_SPACE = 'Pharos permits at most 20 assertions, each with a target of limited length';

/** A text as it is in a pattern, which matches it literally. */
export function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
