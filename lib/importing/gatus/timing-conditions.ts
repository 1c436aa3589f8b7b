import { goSeconds } from '../files/durations';
import { addAssertions, NO_SPACE } from '../plan/assertions';
import type { Draft } from '../plan/draft';
import type { Condition } from './condition';

const MS_PER_DAY = 86_400_000;
const NO_EQUALITY = 'Pharos compares it with < and > only';

/** Milliseconds: a number, or a duration with a unit; null for other text. */
function toMilliseconds(text: string): number | null {
  if (/^\d+$/.test(text)) return Number(text);
  const seconds = goSeconds(text);
  return seconds === null ? null : Math.trunc(seconds * 1000);
}

/** Returns why the condition has no counterpart. Both sides are whole milliseconds. */
export function assertResponseTime(draft: Draft, { wrapper, operator, right }: Condition): string | null {
  const bound = toMilliseconds(right);
  if (wrapper !== null || bound === null || operator === '==' || operator === '!=') return NO_EQUALITY;
  const isUpper = operator === '<' || operator === '<=';
  const target = operator === '<=' ? bound + 1 : operator === '>=' ? bound - 1 : bound;
  const comparison = isUpper ? 'lessThan' : 'greaterThan';
  return addAssertions(draft, { source: 'responseTime', comparison, target }) ? null : NO_SPACE;
}

/** The same for the time until the certificate expires, of which Pharos knows whole days. */
export function assertCertificate(draft: Draft, { wrapper, operator, right }: Condition): string | null {
  if (!draft.hasRequest) return 'Pharos reads certificates only with HTTP';
  const bound = toMilliseconds(right);
  if (wrapper !== null || bound === null || operator === '==' || operator === '!=') return NO_EQUALITY;
  const days = bound / MS_PER_DAY;
  if (!Number.isInteger(days)) return 'Pharos compares whole days';
  const isUpper = operator === '<' || operator === '<=';
  // At least two whole days are left exactly if it expires in 48 hours or more.
  const assertion = isUpper
    ? ({ comparison: 'lessThan', target: days } as const)
    : ({ comparison: 'greaterThan', target: days - 1 } as const);
  return addAssertions(draft, { source: 'certificateDays', ...assertion }) ? null : NO_SPACE;
}
