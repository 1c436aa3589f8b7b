import { AsyncLocalStorage } from 'node:async_hooks';
import type { LoggerInstance } from 'next-auth';
import type { Logger } from '@/lib/core/logger';

/** Why a provider did not sign anybody in, before any of our own rules. */
export const SIGN_IN_FAILURES = ['unavailable', 'expired', 'canceled', 'clock', 'rejected'] as const;

export type SignInFailure = (typeof SIGN_IN_FAILURES)[number];

/** An error of our own checks, whose failure is known. */
export class SignInFailureError extends Error {
  /** next-auth wraps errors and keeps only message and code. */
  readonly code: SignInFailure;

  constructor(failure: SignInFailure, message: string) {
    super(message);
    this.code = failure;
  }
}

const UNREACHABLE = /^(E[A-Z_]+|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/;

/** By what openid-client and next-auth say; their errors have no other distinction. */
const MESSAGES: [RegExp, SignInFailure][] = [
  [/cookie was missing|value could not be parsed|state mismatch|^invalid_grant/, 'expired'],
  [/^access_denied|interaction_required|login_required/, 'canceled'],
  [/^JWT (expired|not active yet)/, 'clock'],
  [/timed out|^expected (200|201) .*got: (4\d\d|5\d\d)|in JSON at position|Unexpected token/, 'unavailable'],
];

/** The failure that an error of next-auth amounts to. */
export function classifyFailure(error: { message?: string; code?: unknown }): SignInFailure {
  const code = typeof error.code === 'string' ? error.code : '';
  const own = SIGN_IN_FAILURES.find((each) => each === code);
  if (own) return own;
  if (UNREACHABLE.test(code)) return 'unavailable';
  return MESSAGES.find(([pattern]) => pattern.test(error.message ?? ''))?.[1] ?? 'rejected';
}

type Store = { failure: SignInFailure | null };

const current = new AsyncLocalStorage<Store>();

/**
 * Runs `handle` and returns with its result the failure that next-auth logged meanwhile: its redirect does not say what went wrong.
 */
export async function withFailure<T>(
  handle: () => Promise<T>,
): Promise<{ result: T; failure: SignInFailure | null }> {
  const store: Store = { failure: null };
  const result = await current.run(store, handle);
  return { result, failure: store.failure };
}

/** The logger of next-auth: it has one per process, so the request that an error belongs to is found by its context. */
export function createAuthLogger(log: Logger): Partial<LoggerInstance> {
  return {
    error: (code, metadata) => {
      const error = metadata instanceof Error ? metadata : metadata.error;
      const { message = '', code: reason } = error as { message?: string; code?: unknown };
      const store = current.getStore();
      if (store) store.failure ??= classifyFailure({ message, code: reason });
      log.warn({ code, reason: message }, 'sign-in failed');
    },
    warn: () => undefined,
    debug: () => undefined,
  };
}
