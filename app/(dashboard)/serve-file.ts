import 'server-only';
import { randomUUID } from 'node:crypto';
import { DomainError } from '@/lib/core/errors';
import { currentRequest } from '@/lib/core/request-context';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import type { Session } from '@/lib/web/auth/session';
import { admit, type Requirement } from '@/lib/web/http/dashboard-gate';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { problemResponse } from '@/lib/web/http/problem';
import { RateLimitedError } from '@/lib/web/http/rate-limit';
import { orNotFound } from './act';

/** A request for a file: its query parameters and those of its path. */
type Asked<Params> = { query: Record<string, string>; params: Params; session: Session };

/** The GET of a `route.ts` that serves a file to people who follow a link. `run` may throw NOT_FOUND before it returns. */
export function serveFile<Params>(
  requires: Requirement,
  run: (ctx: OrganizationContext, asked: Asked<Params>) => Promise<Response>,
): (request: Request, context: { params: Promise<Params> }) => Promise<Response> {
  return async (request, { params }) => {
    const session = await requireSession();
    try {
      await admit(session, requires);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const limits = error instanceof RateLimitedError ? error.headers : {};
      return problemResponse(error, currentRequest()?.requestId ?? randomUUID(), limits);
    }
    const query = Object.fromEntries(new URL(request.url).searchParams);
    return orNotFound(run(session.ctx, { query, params: await params, session }));
  };
}
