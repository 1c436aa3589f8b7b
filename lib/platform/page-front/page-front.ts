import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Clock } from '@/lib/core/time/clock';
import { PAGE_HOST_HEADER, REFRESH_HEADER, SHARED_HEADER } from './application';
import type { CapturedResponse } from './captured-response';
import { canonicalPath } from './hosts/canonical-path';
import { type Incoming, readIncoming } from './hosts/read-host';
import { type HostedPage, resolveHost } from './hosts/resolve-host';
import { keepOpenDocument, type OpenDocument, readOpenDocument } from './open-documents';
import type { Asker, PageCache, Served, SetQueued } from './page-cache';
import { type PageRequest, readPageRequest, splitQuery } from './page-request';
import { credentialHeaders, readCredentials } from './private/credentials';
import type { HeldPages } from './private/held-pages';
import { serveVisitor } from './private/private-pages';
import { type CachedResponse, toWire, type WireResponse } from './stored-response';

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
  /** The headers that identify a visitor. */
  visitorHeaders(request: IncomingMessage): OutgoingHttpHeaders;
  visitors: PageVisitors;
  /** A document of the application as it is sent to many, with all security headers; null if it cannot be. */
  completeDocument(response: CapturedResponse): CapturedResponse | null;
  clock: Clock;
};

/** Limits what a visitor can have the application do. */
export type PageVisitors = {
  /** What their requests are counted by; all whose address is unknown have the same. */
  nameOf(request: IncomingMessage): string;
  /** Counts a request that memory cannot serve. `isDocument`: it is for people. */
  countMiss(request: IncomingMessage, kind: { isDocument: boolean }): Promise<CountedMiss>;
  /** Asks the application when it is the visitor's turn. Responds 429 if too many of their requests are pending. */
  askInTurn(
    request: IncomingMessage,
    kind: { isDocument: boolean },
    ask: Ask,
  ): Promise<CapturedResponse | null>;
};

type Ask = () => Promise<CapturedResponse | null>;

/** The rate limit headers of a request that was counted, and the response if it is beyond the limit. */
export type CountedMiss = { headers: Record<string, string>; refusal: CapturedResponse | null };

const NOT_COUNTED = { [REFRESH_HEADER]: '1' };

/** A routed request: `path` on the app's host, `pathname` as requested; both without dot segments. */
export type RoutedIncoming = Incoming & { pathname: string; isPageHost: boolean };

/** Where a request goes: to the application, nowhere, or rejected because it has no single valid host. */
type Route =
  | { to: 'application'; request: RoutedIncoming }
  | { to: 'nothing'; pathname: string; isPageHost: boolean }
  | { to: 'refusal' };

/** A stored response, ready to send; one for this visitor only; or none from here. */
export type PageResponse =
  | { kind: 'kept'; response: WireResponse }
  | { kind: 'own'; response: CapturedResponse }
  | { kind: 'tooLarge' };

/** Decides what a host shows, and serves status pages of an application from the shared cache. */
export class PageFront {
  readonly #options: PageFrontOptions;
  readonly #hosts: Parameters<typeof resolveHost>[2];

  constructor(options: PageFrontOptions) {
    const { appUrl, findPage } = options;
    this.#options = options;
    this.#hosts = { appHost: appUrl === undefined ? null : new URL(appUrl).hostname, findPage };
  }

  #originOf({ host, scheme, isPageHost }: RoutedIncoming): string {
    const { appUrl } = this.#options;
    if (isPageHost) return `${scheme}://${host.name}`;
    return appUrl ?? `${scheme}://${host.name}${host.port === '' ? '' : `:${host.port}`}`;
  }

  /**
   * Sends requests of a visit to the application, which counts as one: a page that is hidden from the visitor has the limits of an unknown
   * one. Data that is not for everyone has the limits in its headers.
   */
  #senderFor(visitor: IncomingMessage, kind: { isDocument: boolean }) {
    const { visitors, visitorHeaders, sendRequest } = this.#options;
    let counting: Promise<CountedMiss> | null = null;
    return async (
      request: PageRequest,
      own: OutgoingHttpHeaders,
      setQueued: SetQueued = () => undefined,
    ): Promise<CapturedResponse | null> => {
      counting ??= visitors.countMiss(visitor, kind);
      const { headers, refusal } = await counting;
      if (refusal !== null) return refusal;
      const sent = { ...requestHeaders(request), ...visitorHeaders(visitor), ...NOT_COUNTED, ...own };
      setQueued(true);
      const response = await visitors.askInTurn(visitor, kind, () => {
        setQueued(false);
        return sendRequest(request.path, sent);
      });
      if (response === null || response.status === 200 || kind.isDocument) return response;
      return { ...response, headers: { ...response.headers, ...headers } };
    };
  }

  /** Serves a request for which nothing is stored that may be served as is. */
  #serve(pageRequest: PageRequest, visitor: IncomingMessage, cache: PageCache): Promise<Served> {
    const { held, visitors, addressOf } = this.#options;
    const { takesToken, token, isPageHost } = pageRequest;
    const sessionCookie = isPageHost ? null : this.#options.sessionCookie;
    const credentials = () => {
      const address = addressOf(visitor);
      return readCredentials(visitor, { takesToken, token, sessionCookie, address });
    };
    const send = this.#senderFor(visitor, { isDocument: pageRequest.language !== null });
    const asker: Asker = {
      name: visitors.nameOf(visitor),
      send: (request, setQueued) => send(request, { [SHARED_HEADER]: '1' }, setQueued),
    };
    return serveVisitor(pageRequest, held, {
      credentials,
      askShared: async () => {
        const served = await cache.serve(pageRequest, asker);
        if (served.kind === 'stored' && !served.isStale)
          keepParts(served.response, pageRequest, asker, cache);
        return served;
      },
      askOwn: () => send(pageRequest, credentialHeaders(credentials(), sessionCookie)),
    });
  }

  /** Serves a document of the application: the same for everyone without a session. */
  async #serveOpen(
    { request, cookie, isForPeople }: OpenDocument,
    visitor: IncomingMessage,
    cache: PageCache,
  ): Promise<PageResponse> {
    const { visitors, completeDocument } = this.#options;
    const send = this.#senderFor(visitor, { isDocument: isForPeople });
    const asker: Asker = {
      name: visitors.nameOf(visitor),
      send: async (asked, setQueued) => {
        const response = await send(asked, cookie === null ? {} : { cookie }, setQueued);
        const complete = response && completeDocument(response);
        return complete?.status === 200 ? keepOpenDocument(complete) : complete;
      },
    };
    return this.#toResponse(await cache.serve(request, asker), visitor);
  }

  #toResponse(
    served: Served,
    { method, headers }: IncomingMessage,
    now = this.#now(),
  ): PageResponse | Promise<PageResponse> {
    if (served.kind === 'tooLarge') return served;
    if (served.kind === 'own') return { kind: 'own', response: served.response };
    const acceptEncoding = headers['accept-encoding']?.toString();
    const reader = { method, acceptEncoding, ifNoneMatch: headers['if-none-match'] };
    const wire = toWire(served.response, reader, now, served.isStale);
    if (!(wire instanceof Promise)) return { kind: 'kept', response: wire };
    return wire.then((response) => ({ kind: 'kept', response }));
  }

  #now(): number {
    return this.#options.clock.now().getTime();
  }

  /** Where a request goes. */
  route(request: IncomingMessage): Route {
    const incoming = readIncoming(request, this.#options.isTrustedProxy);
    if (incoming === null) return { to: 'refusal' };
    const [pathname, query] = splitQuery(canonicalPath(incoming.path));
    const action = resolveHost(incoming.host.name, pathname, this.#hosts);
    if (action.to === 'notFound') {
      return { to: 'nothing', pathname, isPageHost: action.reason === 'not a page path' };
    }
    const isPageHost = action.to === 'page';
    const path = (isPageHost ? action.path : pathname) + query;
    const { host, scheme } = incoming;
    return { to: 'application', request: { host, scheme, path, pathname, isPageHost } };
  }

  /**
   * Responds to a request that the cache may serve, synchronously if the response is stored. Null for everything else.
   * Rejects if the application does and nothing is stored.
   */
  respond(request: IncomingMessage, routed: RoutedIncoming): PageResponse | Promise<PageResponse> | null {
    const { cache, sessionCookie } = this.#options;
    if (cache === null) return null;
    const { path, isPageHost } = routed;
    const origin = this.#originOf(routed);
    const { method, headers } = request;
    const open = isPageHost ? null : readOpenDocument({ method, headers, path, origin, sessionCookie });
    if (open !== null) {
      const now = this.#now();
      const stored = cache.hit(open.request, now);
      if (stored) return this.#toResponse({ kind: 'stored', response: stored, isStale: false }, request, now);
      return this.#serveOpen(open, request, cache);
    }
    if (!isForCache(request)) return null;
    const acceptLanguage = request.headers['accept-language'];
    const pageRequest = readPageRequest({ path, origin, isPageHost, acceptLanguage });
    if (pageRequest === null) return null;
    const now = this.#now();
    const stored = cache.hit(pageRequest, now);
    if (stored) return this.#toResponse({ kind: 'stored', response: stored, isStale: false }, request, now);
    return this.#serve(pageRequest, request, cache).then((served) => this.#toResponse(served, request));
  }
}

/** Stores what a document shows, as part of the same visit, so that visitors see it while the application fails. */
function keepParts(
  { parts }: CachedResponse,
  { origin, isPageHost }: PageRequest,
  asker: Asker,
  cache: PageCache,
): void {
  for (const path of parts) {
    const request = readPageRequest({ path, origin, isPageHost, acceptLanguage: undefined });
    // If this fails, it is read when a visitor requests it.
    if (request !== null && !cache.holds(request)) cache.serve(request, asker).catch(() => undefined);
  }
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
