import { addAssertions, literal, NO_SPACE } from '../plan/assertions';
import type { Draft } from '../plan/draft';
import { toJsonPath, valuesOf } from '../plan/json-values';
import { shown } from '../plan/sentences';
import { type Condition, readOperand, textWithin } from './condition';

const NO_PATTERN = 'its pattern has no counterpart';
const NO_ORDER = 'Pharos does not order text';
const NO_NUMBER = 'it is not compared with a whole number';
const NO_FUNCTION = 'the function has no counterpart';

/** Returns why a condition on the whole body has no counterpart. Gatus ignores white space around the body. */
export function assertBody(draft: Draft, { wrapper, operator, right }: Condition): string | null {
  const isEqual = operator === '==';
  if (wrapper === 'len') return 'it counts items if the body is JSON, and bytes if it is not';
  if (operator !== '==' && operator !== '!=') return NO_ORDER;
  if (wrapper === 'has') return matchBody('\\S', isEqual === (right === 'true'));
  if (wrapper !== null) return NO_FUNCTION;
  const within = textWithin(right);
  if (within !== null && within.trim() === within) {
    const comparison = isEqual ? 'contains' : 'notContains';
    return addAssertions(draft, { source: 'body', comparison, target: within }) ? null : NO_SPACE;
  }
  const operand = readOperand(right);
  if (operand === null || 'pattern' in operand) return NO_PATTERN;
  return matchBody(`^\\s*(?:${operand.texts.map(literal).join('|')})\\s*$`, isEqual);

  function matchBody(target: string, holds: boolean): string | null {
    const comparison = holds ? 'matches' : 'notMatches';
    return addAssertions(draft, { source: 'body', comparison, target }) ? null : NO_SPACE;
  }
}

/** The same for a header. */
export function assertHeader(
  draft: Draft,
  { wrapper, path: property, operator, right }: Condition,
): string | null {
  const source = 'header';
  const isEqual = operator === '==';
  if (operator !== '==' && operator !== '!=')
    return 'Gatus and Pharos do not compare text with numbers alike';
  if (wrapper === 'has') {
    const comparison = isEqual === (right === 'true') ? 'exists' : 'notExists';
    return addAssertions(draft, { source, property, comparison }) ? null : NO_SPACE;
  }
  const operand = readOperand(right);
  if (wrapper !== null) return NO_FUNCTION;
  if (operand === null) return NO_PATTERN;
  if ('pattern' in operand) {
    const comparison = isEqual ? 'matches' : 'notMatches';
    return addAssertions(draft, { source, property, comparison, target: operand.pattern }) ? null : NO_SPACE;
  }
  const { texts } = operand;
  const added = isEqual
    ? addAssertions(draft, { source, property, comparison: 'oneOf', target: texts })
    : addAssertions(
        draft,
        ...texts.map((target) => ({ source, property, comparison: 'notEquals', target }) as const),
      );
  return added ? null : NO_SPACE;
}

/** The same for a value in a JSON body. */
export function assertJson(draft: Draft, condition: Condition, written: string): string | null {
  const property = toJsonPath(written);
  if (property === null) return 'its path has no counterpart';
  const { wrapper, operator, right } = condition;
  const source = 'json';
  if (wrapper === 'has') {
    const isThere = (operator === '==') === (right === 'true');
    // What is null is not there.
    const added = isThere
      ? addAssertions(
          draft,
          { source, property, comparison: 'exists' },
          { source, property, comparison: 'notEquals' },
        )
      : addAssertions(draft, {
          source,
          property: `$[?${property} && ${property} != null]`,
          comparison: 'notExists',
        });
    if (!added) return NO_SPACE;
    if (!isThere) noteJsonOnly(draft, condition);
    return null;
  }
  if (wrapper === 'len') return assertLength(draft, condition, property);
  if (wrapper !== null) return NO_FUNCTION;
  if (operator !== '==' && operator !== '!=') return assertNumber(draft, condition, property);
  const operand = readOperand(right);
  if (operand === null) return NO_PATTERN;
  if ('pattern' in operand) {
    const comparison = operator === '==' ? 'matches' : 'notMatches';
    if (!addAssertions(draft, { source, property, comparison, target: operand.pattern })) return NO_SPACE;
    if (operator === '!=') noteJsonOnly(draft, condition);
    return null;
  }
  const values = operand.texts.flatMap(valuesOf);
  const added =
    operator === '=='
      ? addAssertions(draft, { source, property, comparison: 'oneOf', target: values })
      : addAssertions(
          draft,
          ...values.map((target) => ({ source, property, comparison: 'notEquals', target }) as const),
        );
  if (!added) return NO_SPACE;
  if (operator === '!=') noteJsonOnly(draft, condition);
  return null;
}

/** What is not JSON has no values, which Gatus takes for another value; in Pharos, the assertion fails. */
function noteJsonOnly(draft: Draft, { left }: Condition): void {
  draft.change(`The condition on ${shown(left)} also fails if the body is not JSON.`);
}

/** Gatus drops fractions, and takes what is missing as 0: only a number that is there holds in Pharos. */
function assertNumber(draft: Draft, { left, operator, right }: Condition, property: string): string | null {
  if (!/^\d{1,15}$/.test(right)) return NO_NUMBER;
  const bound = Number(right);
  const isUpper = operator === '<' || operator === '<=';
  const target = operator === '<=' ? bound + 1 : operator === '>=' ? bound - 1 : bound;
  const comparison = isUpper ? 'lessThan' : 'greaterThan';
  if (!addAssertions(draft, { source: 'json', property, comparison, target })) return NO_SPACE;
  draft.change(
    `The condition on ${shown(left)} holds only for a whole number: Gatus drops fractions, and takes what is missing as 0.`,
  );
  return null;
}

/** A filter that selects something of every document in which the length is right. */
function assertLength(draft: Draft, { left, operator, right }: Condition, property: string): string | null {
  if (!/^\d{1,15}$/.test(right)) return NO_NUMBER;
  const filter = `$[?length(${property}) ${operator} ${Number(right)}]`;
  if (!addAssertions(draft, { source: 'json', property: filter, comparison: 'exists' })) return NO_SPACE;
  draft.change(
    `The condition on ${shown(left)} counts the items of an array or the characters of a text, and nothing else.`,
  );
  return null;
}
