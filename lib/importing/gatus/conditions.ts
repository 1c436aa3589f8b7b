import { isNegative } from '@/lib/checks/assertions/assertion';
import { goSeconds } from '../files/durations';
import { addAssertions, leaveOut, NO_SPACE } from '../plan/assertions';
import type { Draft } from '../plan/draft';
import { UPSIDE_DOWN } from '../plan/reasons';
import { countOf, shown } from '../plan/sentences';
import { setCodesThat } from '../plan/status-codes';
import { type Condition, isEqualTo, joinsConditions, type Operator, parseCondition } from './condition';
import { assertRecord } from './record-conditions';
import { assertHeader, assertJson, assertText } from './response-conditions';

const NO_RESPONSE = 'Pharos reads a response with HTTP, DNS, and TCP if the endpoint has a body to send';

/**
 * Sets what a check expects, from the conditions of an endpoint, as
 * https://github.com/TwiN/gatus/blob/master/config/endpoint/condition.go and placeholder.go evaluate them. Conditions without an
 * exact counterpart are named in a sentence, without what they compare with, which can be secret. Returns why the endpoint
 * cannot be imported. Call it after `followRedirects` and `send` are set.
 */
export function setConditions(draft: Draft, texts: readonly string[]): string | null {
  const single = texts.filter((text) => !joinsConditions(text));
  const conditions = single.map(parseCondition).filter((condition) => condition !== null);
  if (conditions.some(isInverted)) return UPSIDE_DOWN;
  const reason = draft.hasRequest ? setStatus(draft, conditions, texts) : null;
  if (reason !== null) return reason;
  for (const condition of conditions) {
    const why = addCondition(draft, condition);
    if (why !== null) leaveOut(draft, condition.left, why);
    else if (/^pat\(.*\//s.test(condition.right))
      draft.change(`The condition on ${shown(condition.left)} compares slashes, which Gatus ignores.`);
  }
  if (draft.body.send !== undefined) expectResponse(draft);
  if (draft.body.type === 'dns') noteRecordNeeded(draft, conditions);
  const [joined, unknown] = [texts.length - single.length, single.length - conditions.length];
  if (joined > 0)
    draft.change(
      `${countOf(joined, 'condition')} with || or && ${joined === 1 ? 'is' : 'are'} not imported: Gatus has no such operators, and compares with them as text.`,
    );
  if (unknown > 0)
    draft.change(
      `${countOf(unknown, 'condition')} of an unknown form ${unknown === 1 ? 'is' : 'are'} not imported.`,
    );
  return null;
}

/** Sets the expected status codes: any without a condition, and 200 with none that can be read. Returns why no code is expected. */
function setStatus(draft: Draft, conditions: readonly Condition[], texts: readonly string[]): string | null {
  const statuses = conditions.filter(isStatus);
  if (statuses.length === 0 && texts.some((text) => /\[status\]/i.test(text))) {
    draft.change('The check expects the status 200, because no condition on [STATUS] is imported.');
    return null;
  }
  const accepts = (code: number) => statuses.every((condition) => acceptsCode(condition, code));
  return setCodesThat(draft, accepts) ? null : 'Its conditions accept no status code.';
}

/** Conditions that hold only while the target fails. */
function isInverted({ subject, operator, right }: Condition): boolean {
  if (operator !== '==' && operator !== '!=') return false;
  const holdsFor = (value: string) => isEqualTo(right, value) === (operator === '==');
  if (subject === '[CONNECTED]') return holdsFor('false') && !holdsFor('true');
  return subject === '[DNS_RCODE]' && !holdsFor('NOERROR') && !isDenial(operator, right);
}

/** The condition that a name does not exist. */
function isDenial(operator: Operator, right: string): boolean {
  return operator === '==' && right === 'NXDOMAIN';
}

/** A condition on the response code of a DNS server. Returns why it has no counterpart. */
function expectAnswer(draft: Draft, { operator, right }: Condition): string | null {
  if (!isDenial(operator, right)) {
    const isOnly = isEqualTo(right, 'NXDOMAIN') !== (operator === '==');
    return isOnly ? null : 'Pharos expects a record, or none';
  }
  draft.body.expectedAnswer = 'none';
  draft.change('A name that exists, but has no record of the type, is a success too.');
  return null;
}

/** In Gatus, only a condition on the records needs one. */
function noteRecordNeeded(draft: Draft, conditions: readonly Condition[]): void {
  const isNeeded = conditions.some(({ subject, operator }) => subject === '[BODY]' && operator !== '!=');
  if (isNeeded || draft.body.expectedAnswer === 'none') return;
  draft.change('A name without a record of the type is a failure in Pharos.');
}

/** Gatus sends a text only to wait for a response: https://github.com/TwiN/gatus/blob/master/client/client.go, CanCreateNetworkConnection. */
function expectResponse(draft: Draft): void {
  const isAwaited = draft.body.assertions?.some(
    ({ source, comparison }) => source === 'banner' && !isNegative(comparison),
  );
  if (isAwaited !== true) addAssertions(draft, { source: 'banner', comparison: 'matches', target: '(?s).' });
}

/** Returns why the condition has no counterpart. Those on the status are already set. */
function addCondition(draft: Draft, condition: Condition): string | null {
  switch (condition.subject) {
    case '[STATUS]':
      if (!draft.hasRequest) return 'only HTTP has a status code';
      return isStatus(condition) ? null : 'it does not compare the code with codes';
    case '[DNS_RCODE]':
      return expectAnswer(draft, condition);
    case '[CONNECTED]':
      return null;
    case '[RESPONSE_TIME]':
      return assertResponseTime(draft, condition);
    case '[CERTIFICATE_EXPIRATION]':
      return assertCertificate(draft, condition);
    case '[HEADER]':
      return draft.hasRequest ? assertHeader(draft, condition) : 'only HTTP has headers';
    case '[BODY]':
      return assertResponse(draft, condition);
    default:
      return 'Pharos has no such value';
  }
}

/** A condition on what the endpoint responds with. Returns why it has no counterpart. */
function assertResponse(draft: Draft, condition: Condition): string | null {
  const { path } = condition;
  const { type, send } = draft.body;
  if (draft.hasRequest && path !== null) return assertJson(draft, condition, path);
  if (draft.hasRequest) return assertText(draft, 'body', condition);
  if (path !== null) return 'Pharos reads JSON only with HTTP';
  if (type === 'dns') return assertRecord(draft, condition);
  return send === undefined ? NO_RESPONSE : assertText(draft, 'banner', condition);
}

function acceptsCode({ operator, right }: Condition, code: number): boolean {
  if (operator === '==' || operator === '!=') return isEqualTo(right, String(code)) === (operator === '==');
  const bound = Number(right);
  if (operator === '<') return code < bound;
  if (operator === '<=') return code <= bound;
  return operator === '>' ? code > bound : code >= bound;
}

/** A leading zero would be octal. */
const CODE = /^[1-9]\d{0,4}$/;
const CODES = /^any\(\s*\d{1,5}(?:\s*,\s*\d{1,5})*\s*\)$/;
const CODE_PATTERN = /^pat\(([\d*?]{1,5})\)$/;

/** Whether a condition compares the status with codes. */
function isStatus({ subject, wrapper, operator, right }: Condition): boolean {
  if (subject !== '[STATUS]' || wrapper !== null) return false;
  if (CODE.test(right)) return true;
  return (operator === '==' || operator === '!=') && (CODES.test(right) || CODE_PATTERN.test(right));
}

const MS_PER_DAY = 86_400_000;
const NO_EQUALITY = 'Pharos compares it with < and > only';
const NO_TIME = 'it is not compared with a time';

/** Milliseconds: a number, or a duration with a unit; null for other text. */
function toMilliseconds(text: string): number | null {
  if (/^\d+$/.test(text)) return Number(text);
  const seconds = goSeconds(text);
  return seconds === null ? null : Math.trunc(seconds * 1000);
}

/** Returns why the condition has no counterpart. Both sides are whole milliseconds. */
function assertResponseTime(draft: Draft, { wrapper, operator, right }: Condition): string | null {
  const bound = toMilliseconds(right);
  if (wrapper !== null || operator === '==' || operator === '!=') return NO_EQUALITY;
  if (bound === null) return NO_TIME;
  const isUpper = operator === '<' || operator === '<=';
  const target = operator === '<=' ? bound + 1 : operator === '>=' ? bound - 1 : bound;
  const comparison = isUpper ? 'lessThan' : 'greaterThan';
  return addAssertions(draft, { source: 'responseTime', comparison, target }) ? null : NO_SPACE;
}

/** The same for the time until the certificate expires, which Pharos knows in whole days. */
function assertCertificate(draft: Draft, { wrapper, operator, right }: Condition): string | null {
  if (!draft.hasRequest && !draft.hasTls) return 'Pharos reads certificates only with HTTP and TLS';
  const bound = toMilliseconds(right);
  if (wrapper !== null || operator === '==' || operator === '!=') return NO_EQUALITY;
  if (bound === null) return NO_TIME;
  const days = bound / MS_PER_DAY;
  if (!Number.isInteger(days)) return 'Pharos compares whole days';
  const isUpper = operator === '<' || operator === '<=';
  // At least two whole days are left exactly if it expires in 48 hours or more.
  const assertion = isUpper
    ? ({ comparison: 'lessThan', target: days } as const)
    : ({ comparison: 'greaterThan', target: days - 1 } as const);
  return addAssertions(draft, { source: 'certificateDays', ...assertion }) ? null : NO_SPACE;
}
