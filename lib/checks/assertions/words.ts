import type { JSONValue } from 'json-p3';
import { storableText } from '@/lib/core/storable-text';
import {
  type Assertion,
  type AssertionScalar,
  type AssertionSource,
  COUNT,
  type Comparison,
  isPattern,
} from './assertion';

const MAX_SHOWN = 100;
const MAX_RECORDS = 5;

const SUBJECTS: Readonly<Record<AssertionSource, string>> = {
  status: 'status',
  header: 'header',
  body: 'body',
  json: 'JSON value',
  responseTime: 'response time',
  size: 'body size',
  certificateDays: 'certificate lifetime',
  record: 'DNS record',
  banner: 'banner',
};

const UNITS: Partial<Record<AssertionSource, string>> = {
  responseTime: ' ms',
  size: ' bytes',
  certificateDays: ' days',
};

/** What does not hold, without anything that the target sent or that it is compared with. */
const GENERAL: Readonly<Record<Comparison, string>> = {
  equals: 'is not the expected value',
  notEquals: 'is a value that it must not be',
  contains: 'does not contain the expected text',
  notContains: 'contains text that it must not contain',
  matches: 'does not match the expected pattern',
  notMatches: 'matches a pattern that it must not match',
  lessThan: 'is not less than expected',
  greaterThan: 'is not more than expected',
  oneOf: 'is none of the expected values',
  exists: 'is missing',
  notExists: 'is present, but must not be',
};

/** Whole bodies are not shown, so it matters what they contain. */
const OF_BODY: Partial<Record<Comparison, string>> = {
  contains: 'does not contain',
  notContains: 'contains',
  matches: 'does not match',
  notMatches: 'matches',
};

/** What the target sends, which only members see. */
const CONTENT: ReadonlySet<AssertionSource> = new Set(['header', 'body', 'json', 'record', 'banner']);

/** What an assertion is about; with `isGeneral`, without its JSON path. */
export function formatSubject({ source, property }: Assertion, isGeneral = false): string {
  if (source === 'header') return `header ${property}`;
  if (source === 'json' && !isGeneral) return property ?? '';
  return source === 'record' && property === COUNT ? 'number of DNS records' : SUBJECTS[source];
}

/** A value of the response in a few words. */
export function formatActual({ source }: Pick<Assertion, 'source'>, values: readonly JSONValue[]): string {
  const shown = values.slice(0, MAX_RECORDS).map((value) => formatValue(value));
  const more = values.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}${UNITS[source] ?? ''}`;
}

/** Why an assertion does not hold, with the value: for members of the organization. */
export function formatDetail(assertion: Assertion, values: readonly JSONValue[]): string {
  const { source, comparison, target } = assertion;
  const subject = formatSubject(assertion);
  const [value] = values;
  if (value === undefined) return `${subject} is missing`;
  const ofBody = source === 'body' ? OF_BODY[comparison] : undefined;
  if (ofBody !== undefined) return `${subject} ${ofBody} ${formatTarget(assertion, target)}`;
  return `${subject} is ${formatActual(assertion, values)}, expected ${formatExpected(assertion)}`;
}

/** The same for those who must not see what the target sends. */
export function formatSummary(assertion: Assertion, values: readonly JSONValue[]): string {
  const isNumber = !CONTENT.has(assertion.source) || assertion.property === COUNT;
  if (isNumber) return formatDetail(assertion, values);
  const problem = values.length === 0 ? 'is missing' : GENERAL[assertion.comparison];
  return `${formatSubject(assertion, true)} ${problem}`;
}

function formatExpected(assertion: Assertion): string {
  const { comparison, target } = assertion;
  const shown = formatTarget(assertion, target);
  switch (comparison) {
    case 'notEquals':
      return 'any other value';
    case 'contains':
      return `to contain ${shown}`;
    case 'notContains':
      return `not to contain ${shown}`;
    case 'matches':
      return `to match ${shown}`;
    case 'notMatches':
      return `not to match ${shown}`;
    case 'lessThan':
      return `less than ${shown}`;
    case 'greaterThan':
      return `more than ${shown}`;
    case 'notExists':
      return 'none';
    default:
      return shown;
  }
}

function formatTarget(assertion: Assertion, target: Assertion['target']): string {
  if (!Array.isArray(target)) return `${formatScalar(assertion, target)}${UNITS[assertion.source] ?? ''}`;
  const shown = target.map((each) => formatScalar(assertion, each));
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`;
}

function formatScalar({ source, comparison }: Assertion, target: AssertionScalar): string {
  if (source === 'status') return String(target).replace('-', '–');
  // A pattern is shown as it is written.
  return isPattern(comparison) ? storableText(String(target), MAX_SHOWN) : formatValue(target);
}

/** Structures are not shown: they can be as large as the body. */
function formatValue(value: JSONValue): string {
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value !== 'string') return String(value);
  return `“${storableText(value, MAX_SHOWN)}”`;
}
