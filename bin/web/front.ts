import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import { DomainError, describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import { runInRequest } from '@/lib/core/request-context';
import type { Clock } from '@/lib/core/time/clock';
import { METRICS_PATH } from '@/lib/platform/metrics/serve-metrics';
import {
  type HeldPages,
  type HostedPage,
  isInngestPath,
  onlyPass,
  type PageCache,
  PageFront,
  type PageResponse,
  type RoutedIncoming,
} from '@/lib/platform/page-front';
import { PAGE_HOST_HEADER } from '@/lib/platform/page-front/application';
import { isTrustedProxy, PEER_HEADER } from '@/lib/web/http/address/request-address';
import { commonHeaders } from '@/lib/web/http/problem';
import { RateLimitedError } from '@/lib/web/http/rate-limit';
import type { Application } from './application';
import { MAX_BODY_BYTES } from './bounded-bodies';
import { isHeartbeatPath } from './heartbeats';
import { isProbePath } from './probes';
import type { AccessLog } from './requests/access-log';
import { readMisspelled } from './requests/api-spelling';
import { compressResponse } from './requests/compressed-response';
import { requestIdOf } from './requests/request-id';
import {
  finishHead,
  removeRoutingVary,
  respondFailure,
  respondMisspelled,
  respondMoved,
  respondNothingHere,
  respondOwn,
  respondProblem,
  respondStored,
} from './respond';
import {
  addSecurityHeaders,
  completeDocument,
  createDocumentPolicy,
  TRANSPORT_SECURITY,
} from './security-headers';
import type { Visitors } from './visitors';

/** Options of the front. */
export type FrontOptions = {
  /** APP_URL. */
  appUrl: string | undefined;
  trustedProxies: readonly string[];
  findPage(host: string): HostedPage | null;
  /** null: every request goes to the application. */
  cache: PageCache | null;
  held: HeldPages;
  /** The name of the cookie of the dashboard. */
  sessionCookie: string;
  addressOf(request: IncomingMessage): string | null;
  visitors: Visitors;
  /** Allows pages to run code of a development server. */
  development?: boolean;
  application: Application;
  /** The application, for requests that are not cached. */
  pass: RequestListener;
  /** Forwards calls of Inngest to the worker; null: not configured. */
  passToWorker: RequestListener | null;
  /** Responds to the calls of jobs. */
  receiveHeartbeat: RequestListener;
  /** Responds to probes in other networks. */
  serveProbe: RequestListener;
  /** Responds to Prometheus. Null: METRICS_TOKEN is not set, the path is one of the application. */
  serveMetrics: RequestListener | null;
  /** Null: off. */
  accessLog: AccessLog | null;
  clock: Clock;
  log: Logger;
};

/** Supported methods. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Next handles query parameters in quadratic time: 3,500 take a second. */
const MAX_PARAMETERS = 500;

/** The listener of the web server: status pages come from the page front, everything else from the application. */
export function createFront(options: FrontOptions): RequestListener {
  const { appUrl, trustedProxies, findPage, cache, application, passToWorker, clock } = options;
  const { held, sessionCookie, addressOf, visitors } = options;
  const { receiveHeartbeat, serveProbe, serveMetrics } = options;
  const isSecureApp = appUrl?.startsWith('https:') ?? false;
  const pages = new PageFront({
    appUrl,
    isTrustedProxy: (peer) => isTrustedProxy(peer, trustedProxies),
    findPage,
    cache,
    held,
    sessionCookie,
    addressOf,
    sendRequest: application.ask,
    visitorHeaders,
    visitors,
    completeDocument,
    clock,
  });

  const { passOn, fail } = createPass(options);
  const send = (
    page: PageResponse,
    request: IncomingMessage,
    response: ServerResponse,
    routed: RoutedIncoming,
  ) => {
    if (page.kind === 'kept') return respondStored(response, page.response);
    if (page.kind === 'own') return respondOwn(response, page.response, request.method);
    passOn(request, response, routed);
  };

  /** The part of the service that has a path of its own; null: a page or the application. */
  const listenerOf = ({ isPageHost, pathname }: RoutedIncoming): RequestListener | null => {
    if (isPageHost) return null;
    if (passToWorker !== null && isInngestPath(pathname)) return passToWorker;
    if (isHeartbeatPath(pathname)) return receiveHeartbeat;
    if (isProbePath(pathname)) return serveProbe;
    return pathname === METRICS_PATH ? serveMetrics : null;
  };

  return (request, response) => {
    const { method = '', url } = request;
    if (!METHODS.includes(method) || url === '*') return respondWithoutPath(response, method);
    const route = pages.route(request);
    if (route.to === 'refusal') {
      const text = 'The request must have exactly one valid host.';
      return respondProblem(response, new DomainError('VALIDATION_ERROR', text));
    }
    if (route.to === 'nothing') {
      if (!route.pathname.startsWith('/api/')) return respondNothingHere(response, route);
      return respondProblem(response, new DomainError('NOT_FOUND', 'Nothing found at this path.'));
    }
    const { request: routed } = route;
    if (isSecureApp && !routed.isPageHost)
      response.setHeader('Strict-Transport-Security', TRANSPORT_SECURITY);
    const own = listenerOf(routed);
    if (own !== null) return own(request, response);
    const page = pages.respond(request, routed);
    if (page === null) return passOn(request, response, routed);
    if (!(page instanceof Promise)) return send(page, request, response, routed);
    page
      .then((late) => send(late, request, response, routed))
      .catch((error: unknown) => fail(error, routed, request, response));
  };
}

/** `passOn` has the application respond, once it is the turn of the visitor, and `fail` responds that it could not. */
function createPass(options: FrontOptions) {
  const { accessLog, visitors, development = false, log } = options;
  const fail = (
    error: unknown,
    { path }: RoutedIncoming,
    request: IncomingMessage,
    response: ServerResponse,
  ) => {
    if (!(error instanceof RateLimitedError))
      log.error({ error: describeError(error), path }, 'a request could not be served');
    if (response.headersSent) response.destroy();
    else respondFailure(response, error, request.headers);
  };

  const passOn = (request: IncomingMessage, response: ServerResponse, routed: RoutedIncoming) => {
    // The identity of the sender is added for the log once it is known.
    const context = { requestId: requestIdOf(request) };
    accessLog?.(request, response, context);
    const error = findEarlyError(request, routed);
    if (error !== null) return respondProblem(response, error);
    const misspelled = readMisspelled(routed.path);
    if (misspelled !== null) return respondMisspelled(response, misspelled.to);
    const single = withSingleSlashes(routed.path);
    if (single !== null) return respondMoved(response, single);
    // From here on, its URL is where it leads.
    prepare(request, routed);
    const handOver = () => {
      const { socket } = request;
      const handle = () => runInRequest(context, () => finish(options, request, response, routed.path));
      const handled = TAKES_NO_TURN.test(routed.path)
        ? handle()
        : visitors.inTurn(request, async () => (socket.destroyed ? undefined : handle()));
      handled.catch((failure: unknown) => fail(failure, routed, request, response));
    };
    if (development || !(countsHere(routed) || visitors.hasUnknownKey(request))) return handOver();
    visitors
      .countRequest(request)
      .then(handOver)
      .catch((failure: unknown) => fail(failure, routed, request, response));
  };
  return { passOn, fail };
}

/** Has the application respond. Resolves when it has, or when it is a stream of events. */
function finish(
  { development = false, visitors, pass }: FrontOptions,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  const policy = createDocumentPolicy({ development });
  // Next reads the nonce for its scripts from here.
  request.headers['content-security-policy'] = policy;
  const { socket } = request;
  return new Promise((resolve) => {
    const end = () => {
      socket.off('close', end);
      resolve();
    };
    response.once('close', end);
    // A response behind others on its connection is not closed with it.
    socket.once('close', end);
    finishHead(response, (head) => {
      if (/^\/(api|status)([/?]|$)/.test(path)) removeRoutingVary(head);
      addSecurityHeaders(head, policy);
      // Only what an organization requests has the limits of its plan.
      if (head.hasHeader('ratelimit')) visitors.acceptKey(request);
      if (!head.hasHeader('x-request-id')) head.setHeader('X-Request-Id', requestIdOf(request));
      if (String(head.getHeader('content-type')).startsWith('text/event-stream')) end();
    });
    compressResponse(request, response);
    pass(request, response);
  });
}

/** Files of the build cost little, and a page needs many. Whether the process lives is no matter of others. */
const TAKES_NO_TURN = /^\/(_next\/static\/|api\/live(\?|$))/;

/** What the API counts by key, status pages by visit, and files that are sent as they are. */
const COUNTED_ELSEWHERE = /^\/(api\/(?!auth(\/|$))|status\/|_next\/static\/)/;

/** Whether a request counts before the application has it: nothing else counts what it costs, wherever it leads. */
function countsHere({ isPageHost, pathname }: RoutedIncoming): boolean {
  return !isPageHost && !COUNTED_ELSEWHERE.test(pathname);
}

/** A path, with its query, without repeated slashes; null if it has none. */
function withSingleSlashes(path: string): string | null {
  const [pathname = '', ...query] = path.split('?');
  return pathname.includes('//') ? [pathname.replace(/\/{2,}/g, '/'), ...query].join('?') : null;
}

/** Handles requests that Next fails at: unsupported methods, and the path `*` of OPTIONS (RFC 9110, 9.3.7). */
function respondWithoutPath(response: ServerResponse, method: string): void {
  response.setHeader('Allow', METHODS.join(', '));
  if (method === 'OPTIONS') response.writeHead(204, commonHeaders(requestIdOf(response.req))).end();
  else if (METHODS.includes(method)) {
    const text = 'Only OPTIONS supports *. Use a path that begins with a slash.';
    respondProblem(response, new DomainError('VALIDATION_ERROR', text));
  } else {
    const text = `The method ${method} is not supported.`;
    respondProblem(response, new DomainError('METHOD_NOT_ALLOWED', text));
  }
}

/** Headers that identify the visitor in requests of the front, and their request. */
function visitorHeaders(request: IncomingMessage): OutgoingHttpHeaders {
  const { headers, socket } = request;
  const forwardedFor = headers['x-forwarded-for'];
  return {
    [PEER_HEADER]: socket.remoteAddress ?? '',
    'x-request-id': requestIdOf(request),
    ...(forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }),
  };
}

/** What the application sees of a request. */
function prepare(request: IncomingMessage, { isPageHost, path }: RoutedIncoming): void {
  markPeer(request);
  request.url = path;
  if (!isPageHost) return;
  request.headers[PAGE_HOST_HEADER] = '1';
  const pass = onlyPass(request.headers.cookie);
  if (pass === null) delete request.headers.cookie;
  else request.headers.cookie = pass;
}

/** Replaces internal headers of a request with our own: the address of the peer. */
function markPeer({ headers, socket }: IncomingMessage): void {
  for (const name of Object.keys(headers)) if (name.startsWith('x-pharos-')) delete headers[name];
  headers[PEER_HEADER] = socket.remoteAddress ?? '';
}

/** The error for a request that must not reach Next; null if it may. */
function findEarlyError({ headers }: IncomingMessage, { path }: RoutedIncoming): DomainError | null {
  if (!isDecodable(path)) {
    return new DomainError('NOT_FOUND', 'This path is not encoded correctly.');
  }
  if (Number(headers['content-length']) > MAX_BODY_BYTES) {
    return new DomainError('PAYLOAD_TOO_LARGE', 'The body is larger than 2 MiB.');
  }
  if (path.split('&').length > MAX_PARAMETERS) {
    return new DomainError('VALIDATION_ERROR', `The query has more than ${MAX_PARAMETERS} parameters.`);
  }
  return null;
}

/** Next responds to undecodable paths with 500, in plain text. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path.split('?')[0] ?? '');
    return true;
  } catch {
    return false;
  }
}
