import {
  type Assertion,
  type AssertionScalar,
  isPresence,
  rulesOf,
  SOURCE_RULES,
  type ValueKind,
} from './assertion';
import { JsonPath } from './json-path';
import { Pattern } from './pattern';
import { currentBudget } from './pattern-budget';
import { isStatus, parseStatusRange } from './status-ranges';

/** What is wrong with an assertion: which part, and a predicate about it. */
export type AssertionProblem = { part: 'property' | 'comparison' | 'target'; message: string };

const HEADER = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/;

/**
 * The first problem of an assertion whose parts have the right types; null if it can be evaluated. Patterns and paths are parsed, not
 * compiled, within the budget of the request.
 */
export function findProblem(assertion: Assertion): AssertionProblem | null {
  const { source, comparison } = assertion;
  const property = propertyProblem(assertion);
  if (property !== null) return { part: 'property', message: property };
  const { comparisons } = rulesOf(assertion);
  if (!comparisons.includes(comparison)) {
    return { part: 'comparison', message: `must be one of ${comparisons.join(', ')} for ${source}` };
  }
  const target = targetProblem(assertion);
  return target === null ? null : { part: 'target', message: target };
}

function propertyProblem({ source, property }: Assertion): string | null {
  switch (SOURCE_RULES[source].property) {
    case 'header':
      return HEADER.test(property ?? '') ? null : 'must be the name of a header';
    case 'path':
      return problemOf('path', property ?? '', (text) => new JsonPath(text));
    case 'count':
      return property === null || property === 'count' ? null : 'must be count or null';
    case null:
      return property === null ? null : `must be null for ${source}`;
  }
}

function targetProblem(assertion: Assertion): string | null {
  const { comparison, target } = assertion;
  const { value } = rulesOf(assertion);
  if (isPresence(comparison)) return target === null ? null : `must be null for ${comparison}`;
  if (comparison === 'oneOf') {
    if (!Array.isArray(target) || target.length === 0) return 'must be a list of at least one value';
    const problems = target.map((each) => memberProblem(value, each));
    return problems.find((problem) => problem !== null) ?? null;
  }
  if (Array.isArray(target)) return `must not be an array for ${comparison}`;
  switch (comparison) {
    case 'lessThan':
    case 'greaterThan':
      return typeof target === 'number' ? null : 'must be a number';
    case 'contains':
    case 'notContains':
      return value === 'json' || isText(target) ? null : 'must be text';
    case 'matches':
    case 'notMatches':
      return isText(target)
        ? problemOf('pattern', String(target), (text) => new Pattern(text))
        : 'must be a pattern';
    default:
      return equalProblem(value, target);
  }
}

function equalProblem(value: ValueKind, target: AssertionScalar): string | null {
  if (value === 'status') return isStatus(target) ? null : 'must be a status code';
  if (value === 'number') return typeof target === 'number' ? null : 'must be a number';
  return value === 'json' || typeof target === 'string' ? null : 'must be text';
}

function memberProblem(value: ValueKind, target: AssertionScalar): string | null {
  if (value === 'status') {
    return parseStatusRange(target)
      ? null
      : 'must contain status codes or ranges, such as 200, 2xx or 200-299';
  }
  return value === 'json' || typeof target === 'string' ? null : 'must contain text only';
}

function isText(target: AssertionScalar): boolean {
  return typeof target === 'string' && target !== '';
}

function problemOf(kind: 'pattern' | 'path', text: string, parse: (text: string) => unknown): string | null {
  return currentBudget().problemOf(kind, text, () => {
    try {
      parse(text);
      return null;
    } catch (error) {
      return error instanceof Error ? error.message : 'is not valid';
    }
  });
}
