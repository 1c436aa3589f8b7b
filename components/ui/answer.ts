import type { DomainError } from '@/lib/core/errors';
import { fieldErrors } from './form-state';

/** What our own route handlers answer a page: a value, or why there is none, by field where fields are to blame. */
export type Answer<T> =
  | { ok: true; value: T }
  | { ok: false; message: string; errors: Record<string, string> };

const UNREACHABLE = 'The service did not answer. Please try again.';

/** A refusal as an answer. */
export function explainRefusal(error: DomainError): Answer<never> {
  return { ok: false, message: error.message, errors: fieldErrors(error) };
}

/**
 * Asks a route handler of our own. Never throws: an answer that is none is told in words. Aborted, it answers like a
 * service that cannot be reached; whoever aborts does not look.
 */
export async function ask<T>(path: string, body: unknown, signal: AbortSignal): Promise<Answer<T>> {
  try {
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body), signal });
    return await response.json();
  } catch {
    return { ok: false, message: UNREACHABLE, errors: {} };
  }
}
