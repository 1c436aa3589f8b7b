import { z } from 'zod';
import {
  ASSERTION_SOURCES,
  type Assertion,
  COMPARISONS,
  MAX_ASSERTIONS,
  NO_ASSERTIONS,
} from '@/lib/checks/assertions/assertion';
import { findProblem } from '@/lib/checks/assertions/find-problem';
import { oneOf, storable, text } from '@/lib/schemas/text';

const MAX_PROPERTY = 500;
const MAX_TARGET = 1000;
const MAX_TARGETS = 50;
/** Of all assertions of a monitor as JSON: a worker has thousands of monitors in memory. */
const MAX_BYTES = 16 * 1024;

const targetText = storable(z.string().max(MAX_TARGET));
const scalar = z.union([targetText, z.number(), z.boolean(), z.null()]);

const targetSchema = z.union(
  [...scalar.options, z.array(scalar).max(MAX_TARGETS)],
  `must be text of at most ${MAX_TARGET} characters, a number, true, false, null, or an array of at most ${MAX_TARGETS} of them`,
);

const parts = {
  source: oneOf(ASSERTION_SOURCES).meta({
    description: 'What is compared. Each check type has some of them',
    examples: ['json'],
  }),
  property: text(1, MAX_PROPERTY)
    .nullable()
    .meta({
      description:
        'For `header` its name, for `json` a path (RFC 9535), for `record` null or `count`; otherwise null',
      examples: ['$.queue.depth'],
    }),
  comparison: oneOf(COMPARISONS).meta({
    description: 'How it is compared. Each source has some of them',
    examples: ['lessThan'],
  }),
  target: targetSchema.meta({
    description: 'What it is compared with: an array for `oneOf`, null for `exists` and `notExists`',
    examples: [50],
  }),
};

const { source, property, comparison, target } = parts;

const assertionSchema = z
  .strictObject({ source, property: property.default(null), comparison, target: target.default(null) })
  .superRefine((assertion, context) => {
    const problem = findProblem(assertion);
    if (problem !== null)
      context.addIssue({ code: 'custom', path: [problem.part], message: problem.message });
  })
  .meta({ id: 'NewAssertion' });

/** What responses must be like: at most 20 assertions, each validated for itself. */
export const assertionsSchema = z
  .array(assertionSchema, 'must be an array of assertions')
  .max(MAX_ASSERTIONS, `must have at most ${MAX_ASSERTIONS} assertions`)
  .refine(
    (assertions) => new TextEncoder().encode(JSON.stringify(assertions)).length <= MAX_BYTES,
    'must have at most 16 KiB as JSON',
  )
  .meta({
    description:
      'What a response must be like for the check to succeed. Not secret: everyone who sees the monitor sees them',
    examples: [[{ source: 'json', property: '$.queue.depth', comparison: 'lessThan', target: 50 }]],
  });

/** Assertions as the API returns them. */
export const shownAssertionsSchema = z
  .array(z.strictObject(parts).meta({ id: 'Assertion' }))
  .max(MAX_ASSERTIONS);

/** Stored assertions, with their parts in the order of the schema: JSONB has one of its own. */
export function readAssertions(stored: unknown): Assertion[] {
  const found: readonly Assertion[] = Array.isArray(stored) ? stored : [];
  if (found.length === 0) return NO_ASSERTIONS;
  return found.map((each) => ({
    source: each.source,
    property: each.property,
    comparison: each.comparison,
    target: each.target,
  }));
}
