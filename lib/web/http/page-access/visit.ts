import { findCookie } from '@/lib/core/cookies';
import { DomainError } from '@/lib/core/errors';
import { readBearer } from '@/lib/core/token-format';
import {
  type AccessCredentials,
  type AdmittedBy,
  checkAccess,
  type Gate,
} from '@/lib/domain/status-pages/access/check-access';
import type { Access, Requested } from '@/lib/domain/status-pages/access/decide-access';
import type { PageRow } from '@/lib/domain/status-pages/page-row';
import { getEnvironment } from '@/lib/env';
import {
  ADMITTED_HEADER,
  KEPT_HEADER,
  PASS_COOKIE,
  PRIVATE_HEADER,
  SHARED_HEADER,
  TAG_HEADER,
} from '@/lib/platform/page-front/application';
import { openSession, sessionCookieName } from '@/lib/web/auth/session';
import { isSecureApp, requestAddress } from '@/lib/web/http/address/request-address';
import { getWeb } from '@/lib/web/http/server-services';
import { type CacheBound, FIXED, pageCacheControl, robotsHeaders } from './caching';

/** A visitor is not admitted to a private page. As an error, it is the same as for an unknown page. */
export class NotAdmittedError extends DomainError {
  constructor(
    readonly page: PageRow,
    /** What could admit them; `hide`: nothing that they can do in this request. */
    readonly access: Exclude<Access, 'show'>,
  ) {
    super('NOT_FOUND', 'Status page not found.');
  }
}

/** A visit to a status page: the gate that its readers call, and the headers of what they return. */
export type Visit = {
  admit: Gate;
  /** The headers that decide who may keep the response, copies no longer than `bound`. Only after `admit`. */
  headers(bound?: CacheBound): Record<string, string>;
  /** The same for what is at an address that changes with it: browsers keep it, unless the page is private. */
  fixedHeaders(): Record<string, string>;
  /** Whether scripts of other sites may read the response: not if the visitor's cookie or address made it visible. */
  isForAnyOrigin(): boolean;
};

const PRIVATE = { 'Cache-Control': 'private, no-store', 'X-Robots-Tag': 'noindex, nofollow' };

/** Begins a visit by a request for a document or for data. */
export function beginVisit(request: Request, requested: Requested): Visit {
  let visited: { page: PageRow; by: AdmittedBy | null } | null = null;
  const getVisited = () => {
    if (visited === null) throw new Error('the visitor was not admitted to any page');
    return visited;
  };
  const headers = (bound?: CacheBound): Record<string, string> => {
    const { page, by } = getVisited();
    if (by !== null) return { ...PRIVATE, [PRIVATE_HEADER]: page.id, [ADMITTED_HEADER]: by };
    return {
      'Cache-Control': pageCacheControl(bound),
      [TAG_HEADER]: page.id,
      ...robotsHeaders(page.brand),
    };
  };
  return {
    admit: async (page) => {
      if (page.visibility === 'public') {
        visited = { page, by: null };
        return;
      }
      if (request.headers.get(SHARED_HEADER) !== null) throw new NotAdmittedError(page, 'hide');
      const credentials = readCredentials(request);
      const { access, by } = await checkAccess(getWeb().visitorServices, page, { requested, credentials });
      if (access !== 'show') throw new NotAdmittedError(page, access);
      visited = { page, by };
    },
    headers,
    fixedHeaders: () => {
      const own = headers();
      if (getVisited().by !== null) return own;
      // Our cache keeps it like the page, and drops it with the page.
      return { ...own, 'Cache-Control': FIXED, [KEPT_HEADER]: own['Cache-Control'] ?? '' };
    },
    isForAnyOrigin: () => ['token', null].includes(getVisited().by),
  };
}

/** The headers by which our server recognizes the response to a visitor who is not admitted; it does not forward them. */
export function refusalHeaders(error: unknown): Record<string, string> {
  return error instanceof NotAdmittedError ? { [PRIVATE_HEADER]: error.page.id } : {};
}

/** What a request brings along. */
function readCredentials(request: Request): AccessCredentials {
  const { headers } = request;
  return {
    token: readBearer(headers.get('authorization')) ?? new URL(request.url).searchParams.get('token'),
    pass: findCookie(headers.get('cookie'), PASS_COOKIE),
    readSessionId: () => readSessionId(request),
    address: getEnvironment().KNOWS_ADDRESSES ? requestAddress(headers) : null,
  };
}

/** The session of the dashboard in this browser; null: none, also on the domain of a page. */
export async function readSessionId({ headers }: Pick<Request, 'headers'>): Promise<string | null> {
  const cookie = findCookie(headers.get('cookie'), sessionCookieName(isSecureApp()));
  return cookie === null ? null : openSession(getWeb().services, cookie);
}
