import { z } from 'zod';
import { currentBudget } from '@/lib/checks/assertions/pattern-budget';
import { DomainError, type ErrorCode, type ErrorDetail, MAX_DETAILS } from '@/lib/core/errors';
import { requireSmall } from '@/lib/core/parse-json';
import { cutText } from '@/lib/core/storable-text';
import { regionQuery } from './regions/region-id';
import { boundedRecord, monitorIdSchema, storable } from './text';

/** An ID, slug or link token in a server action: bounded, storable text. The verb checks whether the object exists. */
export const nameOfObject = storable(z.string().max(200));

/** A boolean in a server action. */
export const flag = z.boolean();

/** The fields of an unfinished form, as typed. */
export const typedFields = boundedRecord(z.string().max(100), z.string().max(10_000), 100);

/** A dry run of the monitor form as typed. `source` is the monitor whose hidden headers apply. */
export const testRequestSchema = z.strictObject({
  typed: boundedRecord(z.string().max(100), z.string().max(1_000_000), 100),
  region: regionQuery,
  source: monitorIdSchema.nullable(),
});

/** A test of the form of a new endpoint as typed. */
export const unsavedTestSchema = z.strictObject({
  typed: boundedRecord(z.string().max(100), z.string().max(100_000), 100),
});

/** The request of a page for the result of a requested check from one region. */
export const checkPartSchema = z.strictObject({ check: z.string().max(100), region: regionQuery });

type Issue = z.core.$ZodIssue;

/** Parses a value or throws a DomainError that lists the invalid fields (at most 50). */
export function parseInput<T extends z.ZodType>(schema: T, value: unknown, maxValues?: number): z.output<T> {
  requireSmall(value, maxValues);
  const parsed = currentBudget().during(() =>
    schema.safeParse(value, { reportInput: true, error: predicateOf }),
  );
  if (parsed.success) return parsed.data;
  throw validationError(parsed.error.issues);
}

const TYPES: Partial<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

/** The message of an issue whose schema has none of its own: a predicate, like all others. */
function predicateOf(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'invalid_type') return `must be ${TYPES[issue.expected] ?? 'another type of value'}`;
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  return 'is not valid';
}

/** The error for schema issues: their own error code if all issues share one, otherwise VALIDATION_ERROR. */
function validationError(issues: Issue[]): DomainError {
  const codes = new Set(issues.map(ownErrorCode));
  const [only] = codes;
  const code = codes.size === 1 && only ? only : 'VALIDATION_ERROR';
  const details = firstPerPath(issues.flatMap(toDetails));
  const fields = details.slice(0, MAX_DETAILS).map((detail) => detail.path || 'body');
  const more = details.length - fields.length;
  const named = more > 0 ? `${fields.join(', ')} and ${more.toLocaleString('en')} more` : fields.join(', ');
  return new DomainError(code, `The request is not valid: ${named}.`, details);
}

/** A value of the wrong type fails other rules too: the first issue is enough. */
function firstPerPath(details: ErrorDetail[]): ErrorDetail[] {
  return [...new Map(details.toReversed().map((detail) => [detail.path, detail])).values()].toReversed();
}

function ownErrorCode(issue: Issue): ErrorCode | null {
  const params = issue.code === 'custom' ? issue.params : undefined;
  return params?.errorCode ?? null;
}

/** Paths contain names sent by the caller, such as header names. */
const MAX_PATH = 300;

function toDetails(issue: Issue): ErrorDetail[] {
  const path = cutText(issue.path.map(String).join('.'), MAX_PATH);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: cutText(path === '' ? key : `${path}.${key}`, MAX_PATH),
      code: 'unknown_key',
      message: 'is not a recognized field',
    }));
  }
  if (issue.code === 'invalid_type' && issue.input === undefined) {
    return [{ path, code: 'required', message: 'is required' }];
  }
  if (path === '') return [{ path, code: issue.code, message: 'must be a JSON object' }];
  const code = ownErrorCode(issue)?.toLowerCase() ?? (issue.code === 'custom' ? 'invalid' : issue.code);
  return [{ path, code, message: issue.message }];
}
