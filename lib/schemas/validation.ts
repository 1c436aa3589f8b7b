import type { z } from 'zod';
import { DomainError, type ErrorCode, type ErrorDetail } from '@/lib/core/errors';

type Issue = z.core.$ZodIssue;

/** Parses a value, or throws the refusal that names every field that is wrong. */
export function parseInput<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
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
  const fields = details.map((detail) => detail.path || 'body').join(', ');
  return new DomainError(code, `The request is not valid: ${fields}.`, details);
}

/** A value of the wrong type breaks its other rules as well: the first says enough. */
function firstPerPath(details: ErrorDetail[]): ErrorDetail[] {
  return [...new Map(details.toReversed().map((detail) => [detail.path, detail])).values()].toReversed();
}

function ownErrorCode(issue: Issue): ErrorCode | null {
  const params = issue.code === 'custom' ? issue.params : undefined;
  return params?.errorCode ?? null;
}

function toDetails(issue: Issue): ErrorDetail[] {
  const path = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: path === '' ? key : `${path}.${key}`,
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
