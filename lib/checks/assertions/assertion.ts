/** What an assertion reads from the response. */
export const ASSERTION_SOURCES = [
  'status',
  'header',
  'body',
  'json',
  'responseTime',
  'size',
  'certificateDays',
  'record',
  'banner',
] as const;
export type AssertionSource = (typeof ASSERTION_SOURCES)[number];

export const COMPARISONS = [
  'equals',
  'notEquals',
  'contains',
  'notContains',
  'matches',
  'notMatches',
  'lessThan',
  'greaterThan',
  'oneOf',
  'exists',
  'notExists',
] as const;
export type Comparison = (typeof COMPARISONS)[number];

export type AssertionScalar = string | number | boolean | null;

/** What a response must be like for the check to succeed. */
export type Assertion = {
  source: AssertionSource;
  /** The name of a header, a JSON path, or `count` for the number of DNS records; null for other sources. */
  property: string | null;
  comparison: Comparison;
  /** What is compared with; an array only for `oneOf`, null for `exists` and `notExists`. */
  target: AssertionScalar | AssertionScalar[];
};

/** Per monitor. */
export const MAX_ASSERTIONS = 20;

/** The same for all monitors without assertions, which a worker has in memory by the thousand. */
export const NO_ASSERTIONS: Assertion[] = [];
Object.freeze(NO_ASSERTIONS);

/** The `property` of a `record` assertion about the number of records. */
export const COUNT = 'count';

/** What a source is compared as: `json` is any value of JSON. */
export type ValueKind = 'number' | 'status' | 'text' | 'json';

type SourceRules = {
  value: ValueKind;
  /** What `property` is; null if there must be none. `count` is the only one that can be left out. */
  property: 'header' | 'path' | 'count' | null;
  comparisons: readonly Comparison[];
};

const SIZES = ['lessThan', 'greaterThan'] as const;
const NUMBERS = ['equals', 'notEquals', ...SIZES] as const;
const TEXTS = ['equals', 'notEquals', 'contains', 'notContains', 'matches', 'notMatches'] as const;
const PRESENCE = ['exists', 'notExists'] as const;

/** What can be asserted of each source. */
export const SOURCE_RULES: Readonly<Record<AssertionSource, SourceRules>> = {
  status: { value: 'status', property: null, comparisons: [...NUMBERS, 'oneOf'] },
  header: { value: 'text', property: 'header', comparisons: [...TEXTS, ...SIZES, 'oneOf', ...PRESENCE] },
  body: { value: 'text', property: null, comparisons: TEXTS },
  json: { value: 'json', property: 'path', comparisons: [...TEXTS, ...SIZES, 'oneOf', ...PRESENCE] },
  responseTime: { value: 'number', property: null, comparisons: SIZES },
  size: { value: 'number', property: null, comparisons: NUMBERS },
  certificateDays: { value: 'number', property: null, comparisons: SIZES },
  record: { value: 'text', property: 'count', comparisons: [...TEXTS, 'oneOf'] },
  banner: { value: 'text', property: null, comparisons: TEXTS },
};

/** The rules of an assertion: those of its source, or of the number of DNS records. */
export function rulesOf({ source, property }: Pick<Assertion, 'source' | 'property'>): SourceRules {
  const rules = SOURCE_RULES[source];
  if (rules.property !== 'count' || property !== COUNT) return rules;
  return { value: 'number', property: 'count', comparisons: NUMBERS };
}

/** Whether a comparison has no target. */
export function isPresence(comparison: Comparison): boolean {
  return comparison === 'exists' || comparison === 'notExists';
}

/** Whether the target of a comparison is a pattern. */
export function isPattern(comparison: Comparison): boolean {
  return comparison === 'matches' || comparison === 'notMatches';
}

/** Whether a comparison holds of what is not there. */
export function isNegative(comparison: Comparison): boolean {
  return comparison.startsWith('not');
}
