import type { AssertionScalar } from '@/lib/checks/assertions/assertion';
import { addAssertions, literal, NO_SPACE } from '../plan/assertions';
import type { Draft } from '../plan/draft';
import { toJsonPath } from '../plan/json-values';
import { shown } from '../plan/sentences';
import { type Condition, readOperand, textWithin, toSearch } from './condition';

export const NO_PATTERN = 'its pattern has no counterpart';
export const NO_ORDER = 'Pharos does not order text';
const NO_NUMBER = 'it is not compared with a whole number';
export const NO_FUNCTION = 'the function has no counterpart';

/**
 * Returns why a condition on the whole body, or on what a port sends, has no counterpart. Gatus ignores white space around it.
 */
export function assertText(draft: Draft, source: 'body' | 'banner', condition: Condition): string | null {
  const { left, wrapper, operator, right } = condition;
  const isEqual = operator === '==';
  if (wrapper === 'len') {
    if (source === 'body') return 'it counts items if the body is a JSON array, and bytes if it is not';
    const length = testLength(condition);
    if (length === null) return NO_NUMBER;
    if (!addAssertions(draft, { source, ...length })) return NO_SPACE;
    draft.change(`The condition on ${shown(left)} counts characters; Gatus counts bytes.`);
    return null;
  }
  if (operator !== '==' && operator !== '!=')
    return source === 'body' ? assertNumber(draft, condition, '$') : NO_ORDER;
  if (wrapper === 'has') return match('\\S', isEqual === (right === 'true'));
  if (wrapper !== null) return NO_FUNCTION;
  const operand = readOperand(right);
  if (operand === null) return NO_PATTERN;
  if ('texts' in operand) return match(`^\\s*(?:${operand.texts.map(literal).join('|')})\\s*$`, isEqual);
  // White space at an end of the wildcards is never there, and a character can be that of the body which Gatus ignores.
  if (/^\**[?\s]|[?\s]\**$/.test(operand.glob)) return NO_PATTERN;
  const within = textWithin(operand.glob);
  if (within === null) return match(toSearch(operand.glob, ['^\\s*', '\\s*$']), isEqual);
  const comparison = isEqual ? 'contains' : 'notContains';
  return addAssertions(draft, { source, comparison, target: within }) ? null : NO_SPACE;

  function match(target: string, holds: boolean): string | null {
    const comparison = holds ? 'matches' : 'notMatches';
    return addAssertions(draft, { source, comparison, target }) ? null : NO_SPACE;
  }
}

/**
 * A test of the length of a text, or of the host name that follows `before`, whose last dot Gatus counts, too. Null for one that is
 * not compared with a number.
 */
export function testLength(
  { operator, right }: Condition,
  before?: string,
): { comparison: 'matches' | 'notMatches'; target: string } | null {
  const count = Number(right) - (before === undefined ? 0 : 1);
  const least = operator === '<' || operator === '<=' ? 0 : count + (operator === '>' ? 1 : 0);
  const most = operator === '<' ? count - 1 : count;
  if (!/^\d{1,15}$/.test(right) || least < 0 || most < 0) return null;
  const range = `${least},${operator === '>' || operator === '>=' ? '' : most}`;
  const comparison = operator === '!=' ? 'notMatches' : 'matches';
  return { comparison, target: `(?s)^${before ?? ''}.{${range}}$` };
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
  if ('glob' in operand) {
    const comparison = isEqual ? 'matches' : 'notMatches';
    const target = toSearch(operand.glob);
    return addAssertions(draft, { source, property, comparison, target }) ? null : NO_SPACE;
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
  if ('glob' in operand) {
    const comparison = operator === '==' ? 'matches' : 'notMatches';
    const target = toSearch(operand.glob);
    if (!addAssertions(draft, { source, property, comparison, target })) return NO_SPACE;
    if (operator === '!=') noteJsonOnly(draft, condition);
    return null;
  }
  const values = operand.texts.flatMap(listValues);
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

/** The JSON values that are equal to a text, because Go writes them so. */
function listValues(text: string): AssertionScalar[] {
  if (text === 'true' || text === 'false') return [text, text === 'true'];
  const number = Number(text);
  return text !== '' && Number.isFinite(number) && writeNumber(number) === text ? [text, number] : [text];
}

/** A number as `%g` of Go writes it: `1e+06` for a million. https://pkg.go.dev/fmt */
function writeNumber(number: number): string {
  const size = Math.abs(number);
  if (size === 0 || (size >= 1e-4 && size < 1e6)) return String(number);
  return number.toExponential().replace(/(?<=e[+-])(?=\d$)/, '0');
}

/** What is not JSON has no values, which Gatus takes for another value; in Pharos, the assertion fails. */
function noteJsonOnly(draft: Draft, { left }: Condition): void {
  draft.change(`The condition on ${shown(left)} also fails if the body is not JSON.`);
}

/** Gatus drops fractions, and takes what is missing as 0. */
function assertNumber(draft: Draft, { left, operator, right }: Condition, property: string): string | null {
  if (!/^\d{1,15}$/.test(right)) return NO_NUMBER;
  const bound = Number(right);
  const isUpper = operator === '<' || operator === '<=';
  const target = operator === '<=' ? bound + 1 : operator === '>=' ? bound - 1 : bound;
  const comparison = isUpper ? 'lessThan' : 'greaterThan';
  if (!addAssertions(draft, { source: 'json', property, comparison, target })) return NO_SPACE;
  draft.change(
    `The condition on ${shown(left)} is the same only for whole numbers: Gatus drops fractions, and takes what is missing as 0.`,
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
