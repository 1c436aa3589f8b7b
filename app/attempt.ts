import 'server-only';
import { unstable_rethrow } from 'next/navigation';
import { DomainError } from '@/lib/core/errors';
import { awaitCacheInvalidation } from '@/lib/web/http/await-cache-invalidation';
import { getWeb } from '@/lib/web/http/server-services';

type Outcome<T> = { ok: true; value: T } | { ok: false; error: DomainError };

/**
 * Runs a verb for a form: a refusal comes back to be shown, a fault of ours is logged and comes back as
 * INTERNAL_ERROR, so that what was typed is never lost to an error page.
 */
export async function attempt<T>(run: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await run() };
  } catch (error) {
    unstable_rethrow(error);
    if (error instanceof DomainError) return { ok: false, error };
    getWeb().log.error({ err: error }, 'an action of the dashboard failed');
    const text = 'Something went wrong on our side. Nothing was lost; please try again.';
    return { ok: false, error: new DomainError('INTERNAL_ERROR', text) };
  } finally {
    // Who changed something sees it on its pages.
    await awaitCacheInvalidation();
  }
}
