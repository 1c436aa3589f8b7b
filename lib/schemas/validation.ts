import { z } from 'zod';
import { DomainError, type ErrorCode, type ErrorDetail, MAX_DETAILS } from '@/lib/core/errors';
import { requireSmall } from '@/lib/core/parse-json';
import { cutText } from '@/lib/core/storable-text';
import { regionQuery } from './query';
import { boundedRecord, storable } from './text';

/**
 * What names an object in a call from a browser: an id, a slug, the token of a link. Text of bounded length that
 * PostgreSQL can hold; whether there is such an object is for the verb to find out.
 */
export const nameOfObject = storable(z.string().max(200));

/** A switch in a call from a browser. */
export const flag = z.boolean();

/** The fields of a form that is still being filled in, as typed. */
export const typedFields = boundedRecord(z.string().max(100), z.string().max(10_000), 100);

/** The form has some twenty fields. */
const typed = boundedRecord(z.string().max(100), z.string().max(1_000_000), 100);

const monitorId = z
  .string()
  .max(100)
  .regex(/^mon_[0-9a-z]{1,60}$/);

/**
 * One check from one region of what a form holds, to be read like the form that is sent. `source` is the monitor whose
 * hidden headers are meant.
 */
export const testRequestSchema = z.strictObject({
  typed,
  region: regionQuery,
  source: monitorId.nullable(),
});

type Issue = z.core.$ZodIssue;

/** Parses a value, or throws the refusal that names the fields that are wrong, the first 50 of them. */
export function parseInput<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  requireSmall(value);
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw validationError(parsed.error.issues);
}

/** The refusal for issues of a schema: a code of its own where all issues share one, VALIDATION_ERROR otherwise. */
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

/** A value of the wrong type breaks its other rules as well: the first says enough. */
function firstPerPath(details: ErrorDetail[]): ErrorDetail[] {
  return [...new Map(details.toReversed().map((detail) => [detail.path, detail])).values()].toReversed();
}

function ownErrorCode(issue: Issue): ErrorCode | null {
  const params = issue.code === 'custom' ? issue.params : undefined;
  return params?.errorCode ?? null;
}

/** A path names what the caller sent, such as the name of a header; no field of ours has a longer one. */
const MAX_PATH = 300;

function toDetails(issue: Issue): ErrorDetail[] {
  const path = cutText(issue.path.map(String).join('.'), MAX_PATH);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: cutText(path === '' ? key : `${path}.${key}`, MAX_PATH),
      code: 'unknown_key',
      message: 'is not a known field',
    }));
  }
  if (issue.code === 'invalid_type' && issue.input === undefined) {
    return [{ path, code: 'required', message: 'is required' }];
  }
  if (path === '') return [{ path, code: issue.code, message: 'must be a JSON object' }];
  const code = ownErrorCode(issue)?.toLowerCase() ?? (issue.code === 'custom' ? 'invalid' : issue.code);
  return [{ path, code, message: issue.message }];
}
