import { goSeconds } from '../files/durations';
import { addAssertions, leaveOut, NO_SPACE } from '../plan/assertions';
import type { Draft } from '../plan/draft';
import { UPSIDE_DOWN } from '../plan/reasons';
import { countOf } from '../plan/sentences';
import { setCodesThat } from '../plan/status-codes';
import { type Condition, parseCondition } from './condition';
import { assertBody, assertHeader, assertJson } from './response-conditions';

/**
 * Sets what a check expects, from the conditions of an endpoint, as
 * https://github.com/TwiN/gatus/blob/master/config/endpoint/condition.go and placeholder.go evaluate them. Conditions without an
 * exact counterpart are named in a sentence, without what they compare with, which can be secret. Returns why the endpoint
 * cannot be imported. Call it after `followRedirects` is set.
 */
export function setConditions(draft: Draft, texts: readonly string[]): string | null {
  const parsed = texts.map(parseCondition);
  const conditions = parsed.filter((condition) => condition !== null);
  if (conditions.some(isInverted)) return UPSIDE_DOWN;
  const statuses = conditions.filter(isStatus);
  if (draft.hasRequest) {
    const accepts = (code: number) => statuses.every((condition) => acceptsCode(condition, code));
    if (!setCodesThat(draft, accepts)) return 'Its conditions accept no status code.';
  }
  for (const condition of conditions) {
    const why = addCondition(draft, condition);
    if (why !== null) leaveOut(draft, condition.left, why);
  }
  const unknown = parsed.length - conditions.length;
  if (unknown > 0) {
    const verb = unknown === 1 ? 'is' : 'are';
    draft.change(`${countOf(unknown, 'condition')} of an unknown form ${verb} not imported.`);
  }
  return null;
}

/** Conditions that hold only while the target fails. */
function isInverted(condition: Condition): boolean {
  const { subject, operator, right } = condition;
  if (subject === '[CONNECTED]') return (operator === '==') === (right === 'false');
  return subject === '[DNS_RCODE]' && (operator === '==') !== (right === 'NOERROR') && !isDenial(condition);
}

/** The condition that a name does not exist. */
function isDenial({ subject, operator, right }: Condition): boolean {
  return subject === '[DNS_RCODE]' && operator === '==' && right === 'NXDOMAIN';
}

/** Expects that the name has no records. */
function expectNone(draft: Draft): void {
  draft.body.expectedAnswer = 'none';
  draft.change('A name that exists, but has no record of the type, is a success too.');
}

/** Returns why the condition has no counterpart. Those on the status are already set. */
function addCondition(draft: Draft, condition: Condition): string | null {
  switch (condition.subject) {
    case '[STATUS]':
      if (!draft.hasRequest) return 'only HTTP has a status code';
      return isStatus(condition) ? null : 'it does not compare the code with codes';
    case '[DNS_RCODE]':
      if (isDenial(condition)) expectNone(draft);
      return null;
    case '[CONNECTED]':
      return null;
    case '[RESPONSE_TIME]':
      return assertResponseTime(draft, condition);
    case '[CERTIFICATE_EXPIRATION]':
      return assertCertificate(draft, condition);
    case '[BODY]':
    case '[HEADER]':
      if (!draft.hasRequest) return 'Pharos reads a response of this endpoint only with HTTP';
      if (condition.subject === '[HEADER]') return assertHeader(draft, condition);
      return condition.path === null
        ? assertBody(draft, condition)
        : assertJson(draft, condition, condition.path);
    default:
      return 'Pharos has no such value';
  }
}

function acceptsCode({ operator, right }: Condition, code: number): boolean {
  if (operator === '==') return matchesCode(right, code);
  if (operator === '!=') return !matchesCode(right, code);
  const bound = Number(right);
  if (operator === '<') return code < bound;
  if (operator === '<=') return code <= bound;
  return operator === '>' ? code > bound : code >= bound;
}

const CODE = /^\d{1,5}$/;
const CODES = /^any\(\s*\d{1,5}(?:\s*,\s*\d{1,5})*\s*\)$/;
const CODE_PATTERN = /^pat\(([\d*?]{1,5})\)$/;

/** Whether a condition compares the status with codes. */
function isStatus({ subject, wrapper, operator, right }: Condition): boolean {
  if (subject !== '[STATUS]' || wrapper !== null) return false;
  if (CODE.test(right)) return true;
  return (operator === '==' || operator === '!=') && (CODES.test(right) || CODE_PATTERN.test(right));
}

/** A code, `any(200, 429)`, or a pattern such as `pat(2*)`. */
function matchesCode(right: string, code: number): boolean {
  const glob = CODE_PATTERN.exec(right)?.[1];
  if (glob === undefined) return [...right.matchAll(/\d+/g)].some(([each]) => Number(each) === code);
  const pattern = glob.replaceAll('*', '\\d*').replaceAll('?', '\\d');
  return new RegExp(`^${pattern}$`).test(String(code));
}

const MS_PER_DAY = 86_400_000;
const NO_EQUALITY = 'Pharos compares it with < and > only';

/** Milliseconds: a number, or a duration with a unit; null for other text. */
function toMilliseconds(text: string): number | null {
  if (/^\d+$/.test(text)) return Number(text);
  const seconds = goSeconds(text);
  return seconds === null ? null : Math.trunc(seconds * 1000);
}

/** Returns why the condition has no counterpart. Both sides are whole milliseconds. */
function assertResponseTime(draft: Draft, { wrapper, operator, right }: Condition): string | null {
  const bound = toMilliseconds(right);
  if (wrapper !== null || bound === null || operator === '==' || operator === '!=') return NO_EQUALITY;
  const isUpper = operator === '<' || operator === '<=';
  const target = operator === '<=' ? bound + 1 : operator === '>=' ? bound - 1 : bound;
  const comparison = isUpper ? 'lessThan' : 'greaterThan';
  return addAssertions(draft, { source: 'responseTime', comparison, target }) ? null : NO_SPACE;
}

/** The same for the time until the certificate expires, which Pharos knows in whole days. */
function assertCertificate(draft: Draft, { wrapper, operator, right }: Condition): string | null {
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
