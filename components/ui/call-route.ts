import type { DomainError } from '@/lib/core/errors';
import { fieldErrors } from './forms/form-state';

/** What a route handler of the dashboard returns to its page: a value, or an error with its messages by field. */
export type RouteResult<T> =
  | { ok: true; value: T }
  | { ok: false; message: string; errors: Record<string, string> };

const LIMITED = 429;
const UNREACHABLE = 'The service did not respond. Check your connection and try again.';

/** Converts an error to a result. */
export function toRefusal(error: DomainError): RouteResult<never> {
  return { ok: false, message: error.message, errors: fieldErrors(error) };
}

/**
 * Posts to a route handler of the dashboard. Never throws: an aborted or failed request is a result with a message. One of many requests
 * waits where a limit refuses it, and is sent again.
 */
export async function callRoute<T>(
  path: string,
  body: unknown,
  signal: AbortSignal,
  { isOneOfMany = false }: { isOneOfMany?: boolean } = {},
): Promise<RouteResult<T>> {
  try {
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body), signal });
    if (!isOneOfMany || response.status !== LIMITED) return await response.json();
    const seconds = Number(response.headers.get('retry-after'));
    await new Promise((resolve) => setTimeout(resolve, Math.max(1, seconds) * 1000));
    signal.throwIfAborted();
    return await callRoute(path, body, signal, { isOneOfMany });
  } catch {
    return { ok: false, message: UNREACHABLE, errors: {} };
  }
}
