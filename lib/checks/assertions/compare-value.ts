import type { JSONValue } from 'json-p3';
import type { Assertion, AssertionScalar } from './assertion';
import type { Pattern } from './pattern';
import { parseStatusRange } from './status-ranges';
import type { WorkLimit } from './work-limit';

/** How values are compared with the target of an assertion. */
export type ValueTest = Pick<Assertion, 'source' | 'comparison' | 'target'> & { pattern: Pattern | null };

/** Whether a value that is there satisfies a comparison. Throws an `EvaluationError` if that may take too long. */
export function satisfies(test: ValueTest, value: JSONValue, limit: WorkLimit): boolean {
  const { comparison, target } = test;
  switch (comparison) {
    case 'equals':
      return value === target;
    case 'notEquals':
      return value !== target;
    case 'contains':
      return contains(value, target);
    case 'notContains':
      return !contains(value, target);
    case 'matches':
      return matches(test, value, limit);
    case 'notMatches':
      return !matches(test, value, limit);
    case 'lessThan':
      return toNumber(value) < Number(target);
    case 'greaterThan':
      return toNumber(value) > Number(target);
    case 'oneOf':
      return isOneOf(test, value);
    case 'exists':
      return true;
    case 'notExists':
      return false;
  }
}

function contains(value: JSONValue, target: Assertion['target']): boolean {
  if (Array.isArray(value)) return value.some((each) => each === target);
  return typeof value === 'string' && typeof target === 'string' && value.includes(target);
}

function matches({ pattern }: ValueTest, value: JSONValue, limit: WorkLimit): boolean {
  if (pattern === null || (typeof value === 'object' && value !== null)) return false;
  return pattern.isIn(String(value), limit);
}

/** Headers are text, and only plain numbers count as numbers. NaN, which is neither less nor greater, for anything else. */
function toNumber(value: JSONValue): number {
  if (typeof value === 'string') return /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
  return typeof value === 'number' ? value : Number.NaN;
}

function isOneOf({ source, target }: ValueTest, value: JSONValue): boolean {
  const targets: readonly AssertionScalar[] = Array.isArray(target) ? target : [];
  if (source !== 'status') return targets.some((each) => each === value);
  return targets.some((each) => {
    const range = parseStatusRange(each);
    return range !== null && Number(value) >= range[0] && Number(value) <= range[1];
  });
}
