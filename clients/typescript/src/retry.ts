/** Statuses of a service that is overloaded, restarting or failing. */
const MAY_PASS = [429, 500, 502, 503, 504];
/** The longest wait before a retry. If the service asks for more, the error is thrown at once. */
export const MAX_WAIT_MS = 60_000;
const FIRST_WAIT_MS = 500;
const MAX_BACKOFF_MS = 8_000;

/** Whether the same request can succeed later. `code` is that of the error in the response. */
export function mayPass(status: number, code: string): boolean {
  return MAY_PASS.includes(status) || code === 'IN_PROGRESS';
}

/** Whether a method has the same effect once and twice. */
export function isIdempotent(method: string): boolean {
  return method !== 'POST' && method !== 'PATCH';
}

/** The seconds of a `Retry-After` header, which holds seconds or a date; null without a valid one. */
export function readRetryAfter(header: string | null, now: number): number | null {
  if (header === null || header.trim() === '') return null;
  const seconds = Number(header);
  const value = Number.isNaN(seconds) ? (Date.parse(header) - now) / 1000 : seconds;
  return Number.isFinite(value) ? Math.max(0, value) : null;
}

/**
 * Milliseconds to wait before a retry, the first of which has the number 0; null if the service asks for more than a minute.
 * Waits double, and differ at random, so that clients that failed together do not return together. `random` is from 0 to 1.
 */
export function waitBefore(retry: number, retryAfter: number | null, random: number): number | null {
  const backoff = Math.min(MAX_BACKOFF_MS, FIRST_WAIT_MS * 2 ** retry);
  if (retryAfter === null) return backoff * (0.5 + random / 2);
  const asked = retryAfter * 1000;
  return asked > MAX_WAIT_MS ? null : asked + random * FIRST_WAIT_MS;
}

/** Waits. Rejects with the reason of `signal` once it is aborted. */
export function sleep(waitMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const finish = () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    };
    const timer = setTimeout(finish, waitMs);
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
