import { goSeconds } from '../files/durations';
import type { Draft } from '../plan/draft';
import { setKeyword } from '../plan/http-request';
import { UPSIDE_DOWN } from '../plan/reasons';
import { countOf } from '../plan/sentences';
import { setCodesThat } from '../plan/status-codes';

type Condition = { left: string; operator: string; right: string };

const SECONDS_PER_DAY = 86_400;
/** Longer conditions have no counterpart, and would take long to match. */
const MAX_LENGTH = 2000;

/** Splits `[STATUS] == 200`; null for another form. */
function parseCondition(text: string): Condition | null {
  if (text.length > MAX_LENGTH) return null;
  const match = /^\s*(.+?)\s+(==|!=|<=|>=|<|>)\s+(.+?)\s*$/s.exec(text);
  return match ? { left: match[1] ?? '', operator: match[2] ?? '', right: match[3] ?? '' } : null;
}

/**
 * Sets what a check expects, from the conditions of an endpoint. Conditions without a counterpart are counted in a sentence,
 * but not shown: they can contain secrets. Returns why the endpoint cannot be imported.
 */
export function setConditions(draft: Draft, texts: readonly string[]): string | null {
  const conditions = texts.map(parseCondition);
  const unmapped = conditions.filter(
    (condition) => condition === null || !setCondition(draft, condition),
  ).length;
  const known = conditions.filter((condition) => condition !== null);
  if (known.some(isInverted)) return UPSIDE_DOWN;
  if (unmapped > 0)
    draft.change(
      `${countOf(unmapped, 'condition')} without a counterpart ${unmapped === 1 ? 'is' : 'are'} not imported.`,
    );
  return draft.hasRequest
    ? setStatus(
        draft,
        known.filter(({ left }) => left === '[STATUS]'),
      )
    : null;
}

/** Conditions that hold only while the target fails. */
function isInverted({ left, operator, right }: Condition): boolean {
  if (left === '[CONNECTED]') return (operator === '==') === (right === 'false');
  return left === '[DNS_RCODE]' && (operator === '==') !== (right === 'NOERROR');
}

/** Whether the condition has a counterpart. Those on the status are combined later. */
function setCondition(draft: Draft, condition: Condition): boolean {
  const { left, operator, right } = condition;
  const isUpper = operator === '<' || operator === '<=';
  const isLower = operator === '>' || operator === '>=';
  switch (left) {
    case '[STATUS]':
    case '[CONNECTED]':
    case '[DNS_RCODE]':
      return true;
    case '[RESPONSE_TIME]': {
      const milliseconds = Number(right);
      if (!isUpper || !(milliseconds > 0)) return false;
      draft.setDegradedThreshold(
        Math.min(milliseconds, draft.body.degradedThreshold ?? Number.POSITIVE_INFINITY),
      );
      draft.change('A slow response makes it degraded, not down.');
      return true;
    }
    case '[CERTIFICATE_EXPIRATION]': {
      const seconds = goSeconds(right);
      if (!isLower || seconds === null || !draft.hasRequest) return false;
      draft.setTlsExpiryDays(Math.max(1, Math.ceil(seconds / SECONDS_PER_DAY)));
      draft.change('A certificate that expires soon makes it degraded, not down.');
      return true;
    }
    case '[BODY]':
      return operator === '==' && draft.hasRequest && setBodyText(draft, right);
    default:
      return false;
  }
}

/** `pat(*text*)` is a keyword; a body that must equal a text must at least contain it. */
function setBodyText(draft: Draft, right: string): boolean {
  if (typeof draft.body.keyword === 'string') return false;
  const pattern = /^pat\((.*)\)$/s.exec(right)?.[1];
  if (pattern === undefined && /^(any|len|has)\(|^\[/.test(right)) return false;
  const inner = pattern?.replaceAll(/^\*|\*$/g, '') ?? right;
  if (inner.trim() === '' || (pattern !== undefined && /[*?[\\]/.test(inner))) return false;
  setKeyword(draft, inner);
  if (pattern === undefined || pattern !== `*${inner}*`)
    draft.change('The body must contain the text; that it is nothing else is not checked.');
  return true;
}

function setStatus(draft: Draft, conditions: readonly Condition[]): string | null {
  // What must not be returned says nothing about what is expected.
  if (
    conditions.length > 0 &&
    conditions.every(({ operator, right }) => operator === '!=' && matchesCode(right, 200))
  )
    return UPSIDE_DOWN;
  const accepts = (code: number) => conditions.every((condition) => acceptsCode(condition, code));
  return setCodesThat(draft, accepts) ? null : 'Its conditions accept no status code.';
}

function acceptsCode({ operator, right }: Condition, code: number): boolean {
  if (operator === '==') return matchesCode(right, code);
  if (operator === '!=') return !matchesCode(right, code);
  const bound = Number(right);
  if (Number.isNaN(bound)) return true;
  if (operator === '<') return code < bound;
  if (operator === '<=') return code <= bound;
  return operator === '>' ? code > bound : code >= bound;
}

/** A code, `any(200, 429)`, or a pattern of which only `2*` is common. */
function matchesCode(right: string, code: number): boolean {
  const any = /^any\((.*)\)$/s.exec(right)?.[1];
  if (any !== undefined) return any.split(',').some((each) => matchesCode(each.trim(), code));
  const prefix = /^pat\((\d{0,2})\*\)$/.exec(right)?.[1];
  return prefix === undefined ? Number(right) === code : String(code).startsWith(prefix);
}
