import {
  type Assertion,
  type AssertionScalar,
  type AssertionSource,
  COUNT,
  type Comparison,
  isPattern,
  isPresence,
  rulesOf,
  SOURCE_RULES,
} from '@/lib/checks/assertions/assertion';
import { findCheckType } from '@/lib/checks/types';
import { parseJson } from '@/lib/core/parse-json';
import { splitList } from '@/lib/core/text';

/** An assertion as it is edited: everything is text. */
export type EditedAssertion = {
  source: AssertionSource;
  property: string;
  comparison: Comparison;
  target: string;
};

export const SOURCE_LABELS: Readonly<Record<AssertionSource, string>> = {
  status: 'Status',
  header: 'Header',
  body: 'Body',
  json: 'JSON path',
  responseTime: 'Response time (ms)',
  size: 'Body size (bytes)',
  certificateDays: 'Certificate (days left)',
  record: 'DNS record',
  banner: 'Banner',
};

export const COMPARISON_LABELS: Readonly<Record<Comparison, string>> = {
  equals: 'equals',
  notEquals: 'does not equal',
  contains: 'contains',
  notContains: 'does not contain',
  matches: 'matches',
  notMatches: 'does not match',
  lessThan: 'is less than',
  greaterThan: 'is greater than',
  oneOf: 'is one of',
  exists: 'exists',
  notExists: 'does not exist',
};

/** More than an assertion may have, so that the schema rejects longer lists. */
const MAX_LISTED = 100;

/** What a monitor of a type can assert. */
export function sourcesOf(type: string): readonly AssertionSource[] {
  return findCheckType(type)?.assertions ?? [];
}

/** The first assertion that makes sense for a source. */
export function newRow(source: AssertionSource): EditedAssertion {
  const [comparison = 'equals'] = SOURCE_RULES[source].comparisons;
  return { source, property: '', comparison, target: '' };
}

/** A changed row, with a comparison that its source has. */
export function changeRow(row: EditedAssertion, change: Partial<EditedAssertion>): EditedAssertion {
  const changed = { ...row, ...change };
  if (change.source !== undefined && SOURCE_RULES[changed.source].property === null) changed.property = '';
  const { comparisons } = rulesOf({ ...changed, property: readProperty(changed) });
  const [first = changed.comparison] = comparisons;
  return comparisons.includes(changed.comparison) ? changed : { ...changed, comparison: first };
}

/** The rows that the form's value stands for; none if it is not JSON of assertions. */
export function showRows(value: string): EditedAssertion[] {
  const assertions = parseRows(value);
  return assertions.flatMap((each) => (isAssertion(each) ? [showRow(each)] : []));
}

/** The value of the form. What cannot be read stays text, which the schema rejects at its row. */
export function readRows(rows: readonly EditedAssertion[]): Assertion[] {
  return rows.map((row) => ({
    source: row.source,
    property: readProperty(row),
    comparison: row.comparison,
    target: readTarget(row),
  }));
}

function showRow({ source, property, comparison, target }: Assertion): EditedAssertion {
  const isJson = source === 'json';
  const show = (each: AssertionScalar) => (isJson ? showScalar(each) : String(each));
  const shown = Array.isArray(target) ? target.map(show).join(', ') : show(target);
  return { source, property: property ?? '', comparison, target: isPresence(comparison) ? '' : shown };
}

function readProperty({ source, property }: EditedAssertion): string | null {
  if (SOURCE_RULES[source].property === null) return null;
  return property.trim() || null;
}

function readTarget(row: EditedAssertion): Assertion['target'] {
  const { comparison, target } = row;
  if (isPresence(comparison)) return null;
  const { value } = rulesOf({ source: row.source, property: readProperty(row) });
  const isNumber = value === 'number' || comparison === 'lessThan' || comparison === 'greaterThan';
  const read = (typed: string): AssertionScalar => {
    if (isPattern(comparison)) return typed;
    if (isNumber || value === 'status') return readNumber(typed);
    return value === 'json' ? readScalar(typed) : typed;
  };
  return comparison === 'oneOf' ? splitList(target, ',', MAX_LISTED).map(read) : read(target);
}

function readNumber(typed: string): AssertionScalar {
  return /^-?\d+(?:\.\d+)?$/.test(typed.trim()) ? Number(typed) : typed.trim();
}

/** `73`, `true` and `null` are what they look like in JSON; quotes make them text. */
function readScalar(typed: string): AssertionScalar {
  try {
    const value: unknown = parseJson(typed);
    return typeof value === 'object' && value !== null ? typed : (value as AssertionScalar);
  } catch {
    return typed;
  }
}

function showScalar(value: AssertionScalar): string {
  return typeof value === 'string' && readScalar(value) !== value ? JSON.stringify(value) : String(value);
}

function parseRows(value: string): unknown[] {
  try {
    const parsed: unknown = parseJson(value || '[]');
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}

function isAssertion(value: unknown): value is Assertion {
  return (
    typeof value === 'object' &&
    value !== null &&
    'source' in value &&
    String(value.source) in SOURCE_RULES &&
    'comparison' in value &&
    String(value.comparison) in COMPARISON_LABELS
  );
}

/** What is typed next to the source; null for nothing. */
export function propertyOf({ source }: EditedAssertion): { label: string; placeholder: string } | null {
  switch (SOURCE_RULES[source].property) {
    case 'header':
      return { label: 'Header name', placeholder: 'cache-control' };
    case 'path':
      return { label: 'JSON path', placeholder: '$.queue.depth' };
    case 'count':
      return { label: 'Part', placeholder: `empty, or ${COUNT}` };
    case null:
      return null;
  }
}
