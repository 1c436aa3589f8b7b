import type { JSONValue } from 'json-p3';
import { memoizeByObject } from '@/lib/core/calls/memoize';
import { type Assertion, COUNT, isNegative, isPattern, isPresence } from './assertion';
import { recordSatisfies } from './compare-record';
import { satisfies, type ValueTest } from './compare-value';
import { JsonPath } from './json-path';
import type { Observed } from './observed';
import { Pattern } from './pattern';
import { PatternBudget } from './pattern-budget';
import { formatActual, formatDetail, formatSubject, formatSummary } from './words';
import { EvaluationError, WorkLimit } from './work-limit';

/** Whether an assertion holds, and for which value. */
export type AssertionOutcome = {
  holds: boolean;
  /** Whether it may hold: the part of the response that was read does not contradict it. It does not hold then. */
  isUndecided?: boolean;
  /** The value in a few words; null if there is none. */
  actual: string | null;
  /** Why it does not hold, with the value: only for members of the organization. */
  detail: string | null;
  /** The same without anything that the target sent. */
  summary: string | null;
};

/** The first assertion that does not hold. */
export type AssertionFailure = { detail: string; summary: string; isUndecided?: boolean };

/** Judges all assertions. One that is not valid, or too large, does not hold. */
export function evaluateAssertions(assertions: readonly Assertion[], observed: Observed): AssertionOutcome[] {
  const evaluation = new Evaluation(observed);
  return prepare(assertions).map((prepared) => evaluation.judge(prepared));
}

/**
 * The first assertion that does not hold, or null; one that is undecided only if none fails. One that is not valid, or too large, does not
 * hold.
 */
export function findFailure(assertions: readonly Assertion[], observed: Observed): AssertionFailure | null {
  const evaluation = new Evaluation(observed);
  let undecided: AssertionFailure | null = null;
  for (const [index, prepared] of prepare(assertions).entries()) {
    const { holds, isUndecided, detail, summary } = evaluation.judge(prepared);
    if (holds) continue;
    const which = `assertion ${index + 1}`;
    if (isUndecided) {
      undecided ??= { detail: `${which} is ${detail}`, summary: `${which} is ${summary}`, isUndecided };
      continue;
    }
    return {
      detail: assertions.length > 1 ? `${which}: ${detail}` : `${detail}`,
      summary: `${which} failed: ${summary}`,
    };
  }
  return undecided;
}

type Prepared = ValueTest & { assertion: Assertion; path: JsonPath | null; problem: EvaluationError | null };

/** What an assertion is parsed to. An earlier version may have stored a pattern or path that is too large by now. */
function prepareAssertion(assertion: Assertion): Prepared {
  const { source, comparison, target, property } = assertion;
  const prepared = { assertion, source, comparison, target, pattern: null, path: null };
  try {
    const path = source === 'json' ? new JsonPath(property ?? '') : null;
    const pattern = isPattern(comparison) ? new Pattern(String(target)) : null;
    return { ...prepared, path, pattern, problem: null };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ...prepared, problem: new EvaluationError(`its pattern or path ${message}`) };
  }
}

/** Parsed once for all checks of a monitor. */
const prepare = memoizeByObject((assertions: readonly Assertion[]) =>
  new PatternBudget().during(() => assertions.map(prepareAssertion)),
);

/** One response, which is parsed once, with one limit for all of its assertions. */
class Evaluation {
  readonly #limit = new WorkLimit();
  #document: { json: JSONValue } | EvaluationError | null = null;

  constructor(private readonly observed: Observed) {}

  judge(prepared: Prepared): AssertionOutcome {
    try {
      return this.#judge(prepared);
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      const because = (subject: string) => `${subject} was not evaluated: ${error.message}`;
      const { assertion } = prepared;
      const [detail, summary] = [formatSubject(assertion), formatSubject(assertion, true)].map(because);
      return { holds: false, actual: null, detail: detail ?? null, summary: summary ?? null };
    }
  }

  #judge(prepared: Prepared): AssertionOutcome {
    const { assertion, problem } = prepared;
    if (problem !== null) throw problem;
    const values = this.#read(prepared);
    const failing = values.filter((value) => !this.#satisfies(prepared, value));
    const actual = values.length === 0 ? null : formatActual(assertion, values);
    const isMet = holds(assertion, values.length, failing.length);
    const { unread } = this.observed;
    if (unread && mayChange(assertion, isMet, this.observed)) {
      const undecided = `undecided: ${unread}`;
      return { holds: false, isUndecided: true, actual, detail: undecided, summary: undecided };
    }
    if (isMet) return { holds: true, actual, detail: null, summary: null };
    const shown = assertion.source === 'json' ? failing.slice(0, 1) : failing;
    return {
      holds: false,
      actual,
      detail: this.#locate(assertion, formatDetail(assertion, shown)),
      summary: this.#locate(assertion, formatSummary(assertion, shown)),
    };
  }

  #satisfies(prepared: Prepared, value: JSONValue): boolean {
    if (prepared.source !== 'record' || typeof value !== 'string')
      return satisfies(prepared, value, this.#limit);
    return recordSatisfies(prepared, value, this.observed.recordType, this.#limit);
  }

  #read({ assertion: { source, property }, path }: Prepared): readonly JSONValue[] {
    const { headers, records } = this.observed;
    switch (source) {
      case 'header':
        return listed(headers?.[(property ?? '').toLowerCase()]);
      case 'json':
        return path?.select(this.#parse(), this.#limit) ?? [];
      case 'record':
        return property === COUNT ? listed(records?.length) : (records ?? []);
      default:
        return listed(this.observed[source]);
    }
  }

  #parse(): JSONValue {
    this.#document ??= parse(this.observed);
    if (this.#document instanceof EvaluationError) throw this.#document;
    return this.#document.json;
  }

  /** What explains that the body is not as expected. */
  #locate({ source }: Assertion, text: string): string {
    const { bodyEnd, unread } = this.observed;
    if (source !== 'body') return text;
    if (bodyEnd !== null) return `${text} in its first ${bodyEnd}`;
    return unread ? `${text} (${unread})` : text;
  }
}

/** Whether what was not read could change the outcome: a body without end can contain more, and becomes longer. */
function mayChange({ source, comparison }: Assertion, isMet: boolean, { bodyEnd }: Observed): boolean {
  if (source === 'body') return isMet && isNegative(comparison);
  if (source !== 'size' || bodyEnd === null) return false;
  return isMet ? comparison !== 'greaterThan' : comparison !== 'lessThan';
}

/** Of several JSON values every one must satisfy a comparison, of several records one; if it is negative, every one. */
function holds({ source, comparison }: Assertion, count: number, failing: number): boolean {
  if (comparison === 'notExists') return count === 0;
  if (count === 0) return isNegative(comparison);
  if (source === 'record' && !isNegative(comparison) && !isPresence(comparison)) return failing < count;
  return failing === 0;
}

function parse({ body, bodyEnd, unread }: Observed): { json: JSONValue } | EvaluationError {
  if (unread) return new EvaluationError(unread);
  if (bodyEnd !== null) return new EvaluationError(`the body is longer than ${bodyEnd}`);
  try {
    return { json: JSON.parse(body ?? '') };
  } catch {
    return new EvaluationError('the body is not JSON');
  }
}

function listed(value: JSONValue | undefined): readonly JSONValue[] {
  return value === null || value === undefined ? [] : [value];
}
