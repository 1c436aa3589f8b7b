import type { DomainError } from '@/lib/core/errors';
import { fieldErrors } from './forms/form-state';

/** What a route handler of the dashboard returns to its page: a value, or an error with its messages by field. */
export type RouteResult<T> =
  | { ok: true; value: T }
  | { ok: false; message: string; errors: Record<string, string> };

const UNREACHABLE = 'The service did not respond. Check your connection and try again.';

/** Converts an error to a result. */
export function toRefusal(error: DomainError): RouteResult<never> {
  return { ok: false, message: error.message, errors: fieldErrors(error) };
}

/** Posts to a route handler of the dashboard. Never throws: an aborted or failed request is a result with a message. */
export async function callRoute<T>(
  path: string,
  body: unknown,
  signal: AbortSignal,
): Promise<RouteResult<T>> {
  try {
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body), signal });
    return await response.json();
  } catch {
    return { ok: false, message: UNREACHABLE, errors: {} };
  }
}
