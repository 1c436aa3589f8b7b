import type { IncomingHttpHeaders } from 'node:http';
import { findCookie } from '@/lib/core/cookies';
import { KEPT_HEADER, TAG_HEADER } from './application';
import type { CapturedResponse } from './captured-response';
import { type PageRequest, splitQuery } from './page-request';

/** A request for a document of the application that is the same for everyone without a session. */
export type OpenDocument = {
  request: PageRequest;
  /** The cookies that it depends on, as a header. */
  cookie: string | null;
  isForPeople: boolean;
};

const FOR_PEOPLE = /^\/(sign-in|sign-up|forgot-password|docs(\/[a-z-]{1,40}){0,3})$/;
const FOR_PROGRAMS = /^\/(docs\/search\.json|api\/openapi\.json)$/;
/** Parameters that a document reads: with one, it is for one visitor. Others change nothing. */
const READ = ['callbackUrl', 'error', 'notice'];
/** By which Next requests parts of a page, or calls an action. */
const PARTIAL = ['rsc', 'next-action', 'next-url', 'next-router-state-tree', 'next-router-prefetch'];
const THEME = /^(light|dark)$/;

type Received = {
  method: string | undefined;
  headers: IncomingHttpHeaders;
  /** The path with its query, and the origin as seen by the visitor. */
  path: string;
  origin: string;
  sessionCookie: string;
};

/** Parses a request for such a document on the host of the application; null for everything else. */
export function readOpenDocument({
  method,
  headers,
  path,
  origin,
  sessionCookie,
}: Received): OpenDocument | null {
  const [pathname, query] = splitQuery(path);
  const isForPeople = FOR_PEOPLE.test(pathname);
  if (!isForPeople && !FOR_PROGRAMS.test(pathname)) return null;
  const theme = findCookie(headers.cookie, 'theme') ?? '';
  const cookie = isForPeople && THEME.test(theme) ? `theme=${theme}` : null;
  const hasSession = isForPeople && findCookie(headers.cookie, sessionCookie) !== null;
  const isRead = method === 'GET' || method === 'HEAD';
  const parameters = new URLSearchParams(pathname === '/sign-in' ? query : '');
  const isForOne = READ.some((name) => parameters.has(name));
  const isWhole = PARTIAL.every((name) => headers[name] === undefined);
  if (!isRead || !isWhole || isForOne || hasSession) return null;
  const key = `${origin} ${pathname} ${cookie ?? ''}`;
  const own = { language: null, isPageHost: false, takesToken: false, token: null };
  return {
    request: { key, path: pathname, origin, ...own },
    cookie,
    isForPeople,
  };
}

/** Of the documents of the application, which change with its version and settings only. */
const OPEN_TAG = 'open documents';
/** Whether a fresh installation still shows its set-up is looked up as often. */
const KEPT = 'public, s-maxage=60, stale-while-revalidate=600';

/** Lets the cache keep a response; what it tells other caches stays. */
export function keepOpenDocument(response: CapturedResponse): CapturedResponse {
  return { ...response, headers: { ...response.headers, [TAG_HEADER]: OPEN_TAG, [KEPT_HEADER]: KEPT } };
}
