import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Clock } from '@/lib/core/time/clock';
import { PAGE_HOST_HEADER, REFRESH_HEADER, SHARED_HEADER } from './application';
import type { CapturedResponse } from './captured-response';
import { type Incoming, readIncoming } from './hosts/read-host';
import { type HostedPage, resolveHost } from './hosts/resolve-host';
import type { PageCache, SendRequest, Served } from './page-cache';
import { type PageRequest, readPageRequest, splitQuery } from './page-request';
import { credentialHeaders, readCredentials } from './private/credentials';
import type { HeldPages } from './private/held-pages';
import { serveVisitor } from './private/private-pages';
import { toWire, type WireResponse } from './stored-response';

type PageFrontOptions = {
  /** APP_URL. */
  appUrl: string | undefined;
  /** Whether to trust the peer's host and scheme headers. */
  isTrustedProxy(peer: string | undefined): boolean;
  findPage(host: string): HostedPage | null;
  /** null: every request reaches the application. */
  cache: PageCache | null;
  held: HeldPages;
  /** The name of the cookie of the dashboard, which admits members to private pages. */
  sessionCookie: string;
  /** The address of a visitor; null if it cannot be determined. */
  addressOf(request: IncomingMessage): string | null;
  /** Sends a GET request to the application and returns the complete response; null if it is too large. */
  sendRequest(path: string, headers: OutgoingHttpHeaders): Promise<CapturedResponse | null>;
  /** The headers that identify a visitor for rate limits. */
  visitorHeaders(request: IncomingMessage): OutgoingHttpHeaders;
  clock: Clock;
};

const NOT_COUNTED = { [REFRESH_HEADER]: '1' };
const LIMITS = /^ratelimit(-policy)?$/;

/** A routed request: `path` on the app's host, `pathname` as requested. */
export type Routed = Incoming & { pathname: string; isPageHost: boolean };

/** Where a request goes: to the application, nowhere, or rejected because it has no single valid host. */
type Route =
  | { to: 'application'; request: Routed }
  | { to: 'nothing'; pathname: string; isPageHost: boolean }
  | { to: 'refusal' };

/** A stored response, ready to send; one for this visitor only; or none from here. */
export type PageResponse =
  | { kind: 'kept'; response: WireResponse }
  | { kind: 'own'; response: CapturedResponse }
  | { kind: 'tooLarge' };

/** Decides what a host shows, and serves status pages of an application from the shared cache. */
export function createPageFront(options: PageFrontOptions) {
  const { appUrl, isTrustedProxy, findPage, cache, held, sendRequest, visitorHeaders, clock } = options;
  const hosts = { appHost: appUrl === undefined ? null : new URL(appUrl).hostname, findPage };

  const originOf = ({ host, scheme, isPageHost }: Routed): string => {
    if (isPageHost) return `${scheme}://${host.name}`;
    return appUrl ?? `${scheme}://${host.name}${host.port === '' ? '' : `:${host.port}`}`;
  };

  /**
   * Sends requests with the parts of the key, for what anyone may see. Those on behalf of the visitor count toward their rate limit;
   * `onCounted` gets the response.
   */
  const senderFor = (
    visitor: IncomingMessage,
    onCounted: (response: CapturedResponse | null) => void,
  ): SendRequest => {
    return async (request, isRefresh) => {
      const common = { ...requestHeaders(request), [SHARED_HEADER]: '1' };
      if (isRefresh) return sendRequest(request.path, { ...common, ...NOT_COUNTED });
      const response = await sendRequest(request.path, { ...common, ...visitorHeaders(visitor) });
      onCounted(response);
      return response;
    };
  };

  /** Serves a request for which nothing is stored that may be served as is. */
  const serve = (pageRequest: PageRequest, visitor: IncomingMessage, cache: PageCache): Promise<Served> => {
    const { takesToken, token, isPageHost } = pageRequest;
    const sessionCookie = isPageHost ? null : options.sessionCookie;
    const credentials = () => {
      const address = options.addressOf(visitor);
      return readCredentials(visitor, { takesToken, token, sessionCookie, address });
    };
    let counted: CapturedResponse | null = null;
    const send = senderFor(visitor, (response) => {
      counted = response;
    });
    return serveVisitor(pageRequest, held, {
      credentials,
      askShared: () => cache.serve(pageRequest, send),
      askOwn: async () => {
        // One visit is counted once, so that a hidden page has the limits of an unknown one.
        const limits = counted === null ? null : limitsOf(counted);
        const own = await sendRequest(pageRequest.path, {
          ...requestHeaders(pageRequest),
          ...visitorHeaders(visitor),
          ...(limits === null ? {} : NOT_COUNTED),
          ...credentialHeaders(credentials(), sessionCookie),
        });
        if (own === null || own.status === 200) return own;
        return { ...own, headers: { ...own.headers, ...limits } };
      },
    });
  };

  const toResponse = (
    served: Served,
    { method, headers }: IncomingMessage,
    now = clock.now().getTime(),
  ): PageResponse | Promise<PageResponse> => {
    if (served.kind === 'tooLarge') return served;
    if (served.kind === 'own') return { kind: 'own', response: served.response };
    const acceptEncoding = headers['accept-encoding']?.toString();
    const reader = { method, acceptEncoding, ifNoneMatch: headers['if-none-match'] };
    const wire = toWire(served.response, reader, now, served.isStale);
    if (!(wire instanceof Promise)) return { kind: 'kept', response: wire };
    return wire.then((response) => ({ kind: 'kept', response }));
  };

  return {
    route: (request: IncomingMessage): Route => {
      const incoming = readIncoming(request, isTrustedProxy);
      if (incoming === null) return { to: 'refusal' };
      const [pathname, query] = splitQuery(incoming.path);
      const action = resolveHost(incoming.host.name, pathname, hosts);
      if (action.to === 'notFound') {
        return { to: 'nothing', pathname, isPageHost: action.reason === 'not a page path' };
      }
      const isPageHost = action.to === 'page';
      const path = isPageHost ? action.path + query : incoming.path;
      const { host, scheme } = incoming;
      return { to: 'application', request: { host, scheme, path, pathname, isPageHost } };
    },
    /**
     * Responds to a request that the cache may serve, synchronously if the response is stored. Null for everything else.
     * Rejects if the application does and nothing is stored.
     */
    respond: (request: IncomingMessage, routed: Routed) => {
      if (cache === null || !isForCache(request)) return null;
      const { path, isPageHost } = routed;
      const acceptLanguage = request.headers['accept-language'];
      const pageRequest = readPageRequest({ path, origin: originOf(routed), isPageHost, acceptLanguage });
      if (pageRequest === null) return null;
      const now = clock.now().getTime();
      const stored = cache.hit(pageRequest, now);
      if (stored) return toResponse({ kind: 'stored', response: stored, isStale: false }, request, now);
      return serve(pageRequest, request, cache).then((served) => toResponse(served, request));
    },
  };
}

/** The rate limit headers of a response. */
function limitsOf({ headers }: CapturedResponse): CapturedResponse['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => LIMITS.test(name)));
}

/** The parts of a key as headers. */
function requestHeaders({ origin, language, isPageHost }: PageRequest): OutgoingHttpHeaders {
  const [scheme = '', host = ''] = origin.split('://');
  return {
    host,
    'x-forwarded-host': host,
    'x-forwarded-proto': scheme,
    ...(language === null ? {} : { 'accept-language': language }),
    ...(isPageHost ? { [PAGE_HOST_HEADER]: '1' } : {}),
  };
}

/** Requests with another authorization than the token of a page are not for the cache. */
function isForCache({ method, headers: { authorization } }: IncomingMessage): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  return authorization === undefined || /^Bearer +ph_page_/i.test(authorization);
}
