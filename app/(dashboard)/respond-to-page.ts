import 'server-only';
import { attempt } from '@/app/attempt';
import { readBaseUrl } from '@/app/base-url';
import { type RouteResult, toRefusal } from '@/components/ui/call-route';
import { DomainError, type ErrorCode, TooSoonError } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import type { Session } from '@/lib/web/auth/session';
import { requireSameOrigin } from '@/lib/web/http/address/request-address';
import { admit, type Requirement } from '@/lib/web/http/dashboard-gate';
import { findVisitorSession } from '@/lib/web/http/dashboard-session';
import { ERROR_STATUS } from '@/lib/web/http/problem';
import { RateLimitedError } from '@/lib/web/http/rate-limit';
import { readJsonBody } from '@/lib/web/http/read-input';

const SIGNED_OUT = 'You are signed out. Sign in from another tab; your input here is kept.';

/** What is refused before the request is read: its status tells programs, too. Other errors are results for the person who typed. */
const REFUSALS: readonly ErrorCode[] = ['UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMITED'];

/**
 * Responds to a `fetch` from our own pages with the result of `run`, or with the error to show. Unlike server actions, such
 * requests run in parallel and stop when the page is left. Requests from other sites, and of people who may not, are rejected
 * before their body is read.
 */
export async function respondToPage<T>(
  request: Request,
  requires: Requirement,
  run: (ctx: OrganizationContext, body: unknown, session: Session) => Promise<T>,
): Promise<Response> {
  const outcome = await attempt(async () => {
    requireSameOrigin(request, [await readBaseUrl()]);
    const session = await findVisitorSession();
    if (session === null) throw new DomainError('UNAUTHORIZED', SIGNED_OUT);
    await admit(session, requires);
    return run(session.ctx, await readJsonBody(request), session);
  });
  const headers = { 'Cache-Control': 'no-store' };
  if (outcome.ok) return Response.json(outcome satisfies RouteResult<T>, { headers });
  const { error } = outcome;
  const status = REFUSALS.includes(error.code) ? ERROR_STATUS[error.code] : 200;
  return Response.json(toRefusal(error), { status, headers: { ...headers, ...limitsOf(error) } });
}

/** When to retry what was refused for its rate. */
function limitsOf(error: DomainError): Record<string, string> {
  if (error instanceof RateLimitedError) return error.headers;
  return error instanceof TooSoonError ? { 'Retry-After': String(error.retryAfter) } : {};
}
