import 'server-only';
import { attempt } from '@/app/attempt';
import { readBaseUrl } from '@/app/base-url';
import { type RouteResult, toRefusal } from '@/components/ui/call-route';
import { DomainError } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requireSameOrigin } from '@/lib/web/http/address/request-address';
import { findVisitorSession } from '@/lib/web/http/dashboard-session';
import { readJsonBody } from '@/lib/web/http/read-input';

const SIGNED_OUT = 'You are signed out. Sign in from another tab; your input here is kept.';

/**
 * Responds to a `fetch` from our own pages with the result of `run`, or with the error to show. Unlike server actions, such
 * requests run in parallel and stop when the page is left. Requests from other sites are rejected.
 */
export async function respondToPage<T>(
  request: Request,
  run: (ctx: OrganizationContext, body: unknown) => Promise<T>,
): Promise<Response> {
  const outcome = await attempt(async () => {
    requireSameOrigin(request, [await readBaseUrl()]);
    const session = await findVisitorSession();
    if (session === null) throw new DomainError('UNAUTHORIZED', SIGNED_OUT);
    return run(session.ctx, await readJsonBody(request));
  });
  const result: RouteResult<T> = outcome.ok ? outcome : toRefusal(outcome.error);
  return Response.json(result, { headers: { 'Cache-Control': 'no-store' } });
}
