import { describe, expect, it } from 'vitest';
import type { Assertion } from './assertion';
import { findProblem } from './find-problem';

const problemOf = (given: Partial<Assertion>) =>
  findProblem({ source: 'status', property: null, comparison: 'equals', target: 200, ...given });

describe('an assertion is rejected', () => {
  it.each<[Partial<Assertion>, string, RegExp | string]>([
    [{ property: 'x' }, 'property', 'must be null for status'],
    [{ comparison: 'contains' }, 'comparison', /^must be one of equals, .* for status$/],
    [{ target: 99 }, 'target', 'must be a status code'],
    [{ target: '200' }, 'target', 'must be a status code'],
    [{ comparison: 'oneOf', target: 200 }, 'target', 'must be a list of at least one value'],
    [{ comparison: 'oneOf', target: [] }, 'target', 'must be a list of at least one value'],
    [{ comparison: 'oneOf', target: ['299-200'] }, 'target', /^must contain status codes or ranges/],
    [{ comparison: 'lessThan', target: [1] }, 'target', 'must not be an array for lessThan'],
    [{ comparison: 'lessThan', target: '1' }, 'target', 'must be a number'],
    [{ source: 'header', target: 'a' }, 'property', 'must be the name of a header'],
    [{ source: 'header', property: 'a b', target: 'a' }, 'property', 'must be the name of a header'],
    [
      { source: 'header', property: 'a', comparison: 'exists', target: 'a' },
      'target',
      'must be null for exists',
    ],
    [{ source: 'header', property: 'a', comparison: 'contains', target: '' }, 'target', 'must be text'],
    [{ source: 'body', comparison: 'matches', target: '(a' }, 'target', /^is not valid: missing closing/],
    [{ source: 'body', comparison: 'matches', target: '(a)\\1' }, 'target', /^is not valid/],
    [{ source: 'body', comparison: 'matches', target: 'a(?=b)' }, 'target', /^is not valid/],
    [
      { source: 'body', comparison: 'matches', target: '\\pL{999}'.repeat(60) },
      'target',
      /^is too large: with/,
    ],
    [{ source: 'body', comparison: 'matches', target: '(a|b|c|[de]){300}' }, 'target', /^is too large: with/],
    [{ source: 'body', comparison: 'matches', target: '\\pL'.repeat(160) }, 'target', /^is too large: its/],
    [
      { source: 'body', comparison: 'matches', target: 'a'.repeat(501) },
      'target',
      /^is too large: a pattern/,
    ],
    [{ source: 'json', property: null, target: 1 }, 'property', /^is not valid/],
    [{ source: 'json', property: '$.a[', target: 1 }, 'property', /^is not valid/],
    [{ source: 'json', property: '$[?(@.a).constructor]', target: 1 }, 'property', /^is not valid/],
    [{ source: 'responseTime', comparison: 'equals' }, 'comparison', /^must be one of lessThan, greaterThan/],
    [{ source: 'record', property: 'size', target: 'a' }, 'property', 'must be count or null'],
    [{ source: 'record', property: 'count', target: 'a' }, 'target', 'must be a number'],
    [{ source: 'record', property: 'count', comparison: 'contains', target: '1' }, 'comparison', /^must be/],
  ])('%j', (given, part, message) => {
    expect(problemOf(given)).toEqual({
      part,
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    });
  });
});
