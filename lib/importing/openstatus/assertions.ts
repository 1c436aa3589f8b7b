import type { Draft } from '../plan/draft';
import { setKeyword } from '../plan/http-request';
import { ABSENT_KEYWORD, UPSIDE_DOWN } from '../plan/reasons';
import { countOf } from '../plan/sentences';
import { setCodesThat, setStatusCodes } from '../plan/status-codes';

/** What a response must be. `kind` and `compare` have the names of the YAML configuration. */
export type Assertion = { kind: string; compare: string; target: string };

/** Sets what an HTTP check expects. Returns why the monitor cannot be imported. */
export function setAssertions(draft: Draft, assertions: readonly Assertion[]): string | null {
  const reason = setStatus(
    draft,
    assertions.filter(({ kind }) => kind === 'statusCode'),
  );
  if (reason !== null) return reason;
  const bodies = assertions.filter(({ kind }) => kind === 'textBody');
  if (bodies.some(({ compare }) => compare === 'not_contains')) return ABSENT_KEYWORD;
  const [text] = bodies.filter(({ compare }) => compare === 'contains' || compare === 'eq');
  if (text !== undefined) setKeyword(draft, text.target);
  if (text?.compare === 'eq')
    draft.change('The body must contain the text; that it is nothing else is not checked.');
  noteLeftOut(
    draft,
    assertions.filter((assertion) => assertion.kind !== 'statusCode' && assertion !== text).length,
  );
  return null;
}

/** Says how many assertions have no counterpart, without their targets, which can be secret. */
export function noteLeftOut(draft: Draft, count: number): void {
  if (count > 0)
    draft.change(
      `${countOf(count, 'assertion')} without a counterpart ${count === 1 ? 'is' : 'are'} not imported.`,
    );
}

function setStatus(draft: Draft, assertions: readonly Assertion[]): string | null {
  // Without an assertion, any success is accepted.
  if (assertions.length === 0) {
    setStatusCodes(draft, ['200-299']);
    return null;
  }
  if (assertions.every(({ compare, target }) => compare === 'not_eq' && target === '200')) return UPSIDE_DOWN;
  const acceptsAll = (code: number) => assertions.every((assertion) => accepts(assertion, code));
  return setCodesThat(draft, acceptsAll) ? null : 'Its assertions accept no status code.';
}

function accepts({ compare, target }: Assertion, code: number): boolean {
  const bound = Number(target);
  switch (compare) {
    case 'eq':
      return code === bound;
    case 'not_eq':
      return code !== bound;
    case 'gt':
      return code > bound;
    case 'gte':
      return code >= bound;
    case 'lt':
      return code < bound;
    case 'lte':
      return code <= bound;
    default:
      return true;
  }
}
