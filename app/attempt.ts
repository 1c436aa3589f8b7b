import { parseUrl } from '@/lib/core/parse-url';
import 'server-only';
import { headers } from 'next/headers';
import { redirect, unstable_rethrow } from 'next/navigation';
import type { ActionResult } from '@/components/ui/action-result';
import { type FormState, readTyped, refusedState } from '@/components/ui/forms/form-state';
import { DomainError } from '@/lib/core/errors';
import { SecondFactorNeeded } from '@/lib/domain/context/recent-factor';
import { withPlanCommand } from '@/lib/web/http/plan-command';
import { awaitCacheInvalidation } from '@/lib/web/http/process-shared';
import { getWeb } from '@/lib/web/http/server-services';

/** The value of an operation, or the error to show. */
export type Outcome<T> = { ok: true; value: T } | { ok: false; error: DomainError };

/**
 * Runs a domain operation for a form. Domain errors are returned to be shown; unexpected ones are logged and returned as
 * INTERNAL_ERROR, so that input is never lost to an error page. A change that requires a recent second factor leads to the page
 * that asks for it, and from there back.
 */
export async function attempt<T>(run: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await run() };
  } catch (error) {
    unstable_rethrow(error);
    if (error instanceof SecondFactorNeeded) redirect(await confirmPath());
    if (error instanceof DomainError) return { ok: false, error: withPlanCommand(error) };
    getWeb().log.error({ err: error }, 'dashboard action failed');
    const text = 'Something went wrong on our side. Your input is kept. Try again.';
    return { ok: false, error: new DomainError('INTERNAL_ERROR', text) };
  } finally {
    // The person who changed something must see it on the next page.
    await awaitCacheInvalidation();
  }
}

/** Runs a domain operation for a button that shows its result, like `attempt`. */
export async function attemptResult<T>(run: () => Promise<T>): Promise<ActionResult<T>> {
  const outcome = await attempt(run);
  return outcome.ok
    ? { value: outcome.value, problem: null }
    : { value: null, problem: outcome.error.message };
}

async function confirmPath(): Promise<string> {
  const from = (await headers()).get('referer') ?? '';
  const callbackUrl = parseUrl(from)?.pathname ?? '';
  return `/sign-in/confirm?${new URLSearchParams({ callbackUrl })}`;
}

/** Fields whose values are not sent back to the browser. */
const SECRET_FIELDS = ['password', 'currentPassword', 'newPassword', 'clearPassword', 'code', 'passkey'];

/** Runs an operation that returns the next state of a form. After an error, the form shows it and keeps its values. */
export async function attemptForm<S extends FormState>(
  previous: FormState,
  form: FormData,
  run: () => Promise<S>,
): Promise<S | FormState> {
  const outcome = await attempt(run);
  return outcome.ok ? outcome.value : refusedState(previous, outcome.error, readTyped(form, SECRET_FIELDS));
}
