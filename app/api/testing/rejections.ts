import { expect } from 'vitest';
import { problemSchema } from '@/lib/web/http/problem';
import type { OutsideResponse } from './send';

/** The status and code of an error response. Checks the headers of every error first. */
export function rejectionOf({ status, headers, json }: OutsideResponse): [number, string] {
  const { error } = problemSchema.parse(json);
  expect(headers.get('x-request-id')).toBe(error.requestId);
  expect(headers.get('x-api-version')).toBe('1');
  expect(headers.get('content-type')).toContain('application/json');
  expect(headers.get('cache-control')).toBe('no-store');
  return [status, error.code];
}

/** The fields that an error response names. */
export function fieldsOf({ json }: OutsideResponse): string[] {
  return (problemSchema.parse(json).error.details ?? []).map(({ path }) => path);
}
