import { addAssertions, leaveOut, NO_SPACE } from '../plan/assertions';
import type { Draft } from '../plan/draft';
import { setCodesThat, setStatusCodes } from '../plan/status-codes';

/**
 * What a response must be: https://github.com/openstatusHQ/openstatus/blob/main/packages/assertions/src/v1.ts. `kind` and `compare`
 * have the names of the YAML configuration; `key` is the name of a header, or the type of a DNS record.
 */
export type OpenStatusAssertion = { kind: string; compare: string; key: string | null; target: string };

const TEXT_COMPARISONS: Partial<Record<string, 'equals' | 'notEquals' | 'contains' | 'notContains'>> = {
  eq: 'equals',
  not_eq: 'notEquals',
  contains: 'contains',
  not_contains: 'notContains',
};
/** Records whose text is the same in both products. */
const PLAIN_RECORDS = new Set(['A', 'AAAA', 'TXT']);
const NO_ORDER = 'Pharos does not order text';

/** Sets what an HTTP check expects. Returns why the monitor cannot be imported. Call it after `followRedirects` is set. */
export function setAssertions(draft: Draft, assertions: readonly OpenStatusAssertion[]): string | null {
  const statuses = assertions.filter(({ kind }) => kind === 'statusCode');
  // Without an assertion, any success is accepted.
  if (statuses.length === 0) setStatusCodes(draft, ['200-299']);
  else if (!setCodesThat(draft, (code) => statuses.every((each) => accepts(each, code))))
    return 'Its assertions accept no status code.';
  for (const assertion of assertions) {
    const why = addText(draft, assertion);
    if (why !== null) leaveOut(draft, subjectOf(assertion), why);
  }
  return null;
}

/** Sets what the records of a DNS check must be. `type` is the record type of the check. */
export function setRecordAssertions(
  draft: Draft,
  assertions: readonly OpenStatusAssertion[],
  type: string | null,
): void {
  for (const assertion of assertions) {
    const why = addRecord(draft, assertion, type);
    if (why !== null) leaveOut(draft, subjectOf(assertion), why);
  }
}

/** What an assertion is about, without its target, which can be secret. */
function subjectOf({ kind, key }: OpenStatusAssertion): string {
  const names: Partial<Record<string, string>> = { textBody: 'the body', jsonBody: 'the JSON body' };
  if (kind === 'header' && key !== null) return `the header ${key}`;
  if (kind === 'dnsRecord') return `${key ?? 'DNS'} records`;
  return (Object.hasOwn(names, kind) ? names[kind] : undefined) ?? kind;
}

/** Returns why the assertion has no counterpart. */
function addText(draft: Draft, { kind, compare, key, target }: OpenStatusAssertion): string | null {
  if (kind === 'statusCode') return null;
  if (kind === 'jsonBody') return 'openstatus compares it as a list';
  if (kind !== 'header' && kind !== 'textBody') return 'Pharos has no such value';
  const part =
    kind === 'header' ? ({ source: 'header', property: key } as const) : ({ source: 'body' } as const);
  // What is missing is empty, too.
  if (compare === 'empty' || compare === 'not_empty') {
    const comparison = compare === 'empty' ? 'notMatches' : 'matches';
    return addAssertions(draft, { ...part, comparison, target: '(?s).' }) ? null : NO_SPACE;
  }
  const comparison = Object.hasOwn(TEXT_COMPARISONS, compare) ? TEXT_COMPARISONS[compare] : undefined;
  if (comparison === undefined) return NO_ORDER;
  return addAssertions(draft, { ...part, comparison, target }) ? null : NO_SPACE;
}

/** As in Pharos, one of several records is enough, and a negative comparison is about all of them. */
function addRecord(
  draft: Draft,
  { kind, compare, key, target }: OpenStatusAssertion,
  type: string | null,
): string | null {
  if (kind !== 'dnsRecord') return 'a DNS check has only records';
  if (key?.toUpperCase() !== type) return `the check is about ${type ?? 'other'} records`;
  const comparison = Object.hasOwn(TEXT_COMPARISONS, compare) ? TEXT_COMPARISONS[compare] : undefined;
  if (comparison === undefined) return NO_ORDER;
  const isWhole = comparison === 'equals' || comparison === 'notEquals';
  if (isWhole && !PLAIN_RECORDS.has(type ?? '')) return 'Pharos writes these records differently';
  return addAssertions(draft, { source: 'record', comparison, target }) ? null : NO_SPACE;
}

function accepts({ compare, target }: OpenStatusAssertion, code: number): boolean {
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
