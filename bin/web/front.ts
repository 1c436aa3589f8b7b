import { randomUUID } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import type { Clock } from '@/lib/core/clock';
import { DomainError, describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import {
  createPageFront,
  type HostedPage,
  isInngestPath,
  type PageCache,
  type PageResponse,
  type Routed,
} from '@/lib/platform/page-front';
import { PAGE_HOST_HEADER } from '@/lib/platform/page-front/application';
import { commonHeaders } from '@/lib/web/http/problem';
import { isTrustedProxy, PEER_HEADER } from '@/lib/web/http/request-address';
import { answerNothingHere, answerOwn, answerProblem, answerStored, finishHead } from './answers';
import type { Application } from './application';
import { MAX_BODY_BYTES } from './bounded-bodies';
import { addSecurityHeaders, createDocumentPolicy, TRANSPORT_SECURITY } from './security-headers';

/** What the front needs to know and to have. */
export type FrontOptions = {
  /** APP_URL. */
  appUrl: string | undefined;
  trustedProxies: readonly string[];
  findPage(host: string): HostedPage | null;
  /** null: every request reaches the application. */
  cache: PageCache | null;
  /** Pages may run what a development server sends them. */
  development?: boolean;
  application: Application;
  /** The application for requests that are not for the cache. */
  pass: RequestListener;
  /** Where Inngest's calls are answered; null: here is nothing for it. */
  passToWorker: RequestListener | null;
  clock: Clock;
  log: Logger;
};

/** The methods that something here responds to. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** What Next does with the parameters of a query grows with their square: 3,500 of them are a second. */
const MAX_PARAMETERS = 500;

/**
 * The listener of the web server: lets the page front decide what a host shows and respond for status pages, and passes
 * everything else on to the application.
 */
export function createFront(options: FrontOptions): RequestListener {
  const { appUrl, trustedProxies, findPage, cache, application, pass, passToWorker, clock, log } = options;
  const { development = false } = options;
  const isSecureApp = appUrl?.startsWith('https:') ?? false;
  const pages = createPageFront({
    appUrl,
    isTrustedProxy: (peer) => isTrustedProxy(peer, trustedProxies),
    findPage,
    cache,
    ask: application.ask,
    visitorHeaders,
    clock,
  });

  const send = (page: PageResponse, request: IncomingMessage, response: ServerResponse, routed: Routed) => {
    if (page.kind === 'kept') return answerStored(response, page.response);
    if (page.kind === 'own') return answerOwn(response, page.response, request.method);
    passOn(request, response, routed);
  };

  const passOn = (request: IncomingMessage, response: ServerResponse, routed: Routed) => {
    const refusal = refuseAhead(request, routed);
    if (refusal !== null) return answerProblem(response, refusal);
    markPeer(request);
    request.url = routed.path;
    if (routed.isPageHost) {
      request.headers[PAGE_HOST_HEADER] = '1';
      delete request.headers.cookie;
    }
    const policy = createDocumentPolicy({ development });
    // Next takes the nonce of its scripts from there.
    request.headers['content-security-policy'] = policy;
    finishHead(response, (answer) => addSecurityHeaders(answer, policy));
    pass(request, response);
  };

  return (request, response) => {
    const { method = '', url } = request;
    if (!METHODS.includes(method) || url === '*') return answerWithoutPath(response, method);
    const route = pages.route(request);
    if (route.to === 'refusal') {
      const text = 'The request does not name one valid host.';
      return answerProblem(response, new DomainError('VALIDATION_ERROR', text));
    }
    if (route.to === 'nothing') {
      if (!route.pathname.startsWith('/api/')) return answerNothingHere(response, route);
      return answerProblem(response, new DomainError('NOT_FOUND', 'Nothing found at this path.'));
    }
    const { request: routed } = route;
    const { isPageHost, pathname, path } = routed;
    if (isSecureApp && !isPageHost) response.setHeader('Strict-Transport-Security', TRANSPORT_SECURITY);
    if (!isPageHost && passToWorker !== null && isInngestPath(pathname))
      return passToWorker(request, response);
    const page = pages.respond(request, routed);
    if (page === null) return passOn(request, response, routed);
    if (!(page instanceof Promise)) return send(page, request, response, routed);
    page
      .then((late) => send(late, request, response, routed))
      .catch((error: unknown) => {
        log.error({ error: describeError(error), path }, 'a status page could not be answered');
        if (response.headersSent) response.destroy();
        else answerProblem(response, error);
      });
  };
}

/**
 * Answers what Next fails at: a method that nothing here has, and `*`, which stands for the server and is for OPTIONS alone
 * (RFC 9110, 9.3.7).
 */
function answerWithoutPath(response: ServerResponse, method: string): void {
  response.setHeader('Allow', METHODS.join(', '));
  if (method === 'OPTIONS') response.writeHead(204, commonHeaders(randomUUID())).end();
  else if (METHODS.includes(method)) {
    const text = 'Only OPTIONS may ask for *. Name a path that begins with a slash.';
    answerProblem(response, new DomainError('VALIDATION_ERROR', text));
  } else {
    const text = `The method ${method} is not supported.`;
    answerProblem(response, new DomainError('METHOD_NOT_ALLOWED', text));
  }
}

/** Who is to be counted for what the front asks. */
function visitorHeaders({ headers, socket }: IncomingMessage): OutgoingHttpHeaders {
  const forwardedFor = headers['x-forwarded-for'];
  return {
    [PEER_HEADER]: socket.remoteAddress ?? '',
    ...(forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }),
  };
}

/** Takes from a request what only we may say to the application, and says it: who is at the other end. */
function markPeer({ headers, socket }: IncomingMessage): void {
  for (const name of Object.keys(headers)) if (name.startsWith('x-pharos-')) delete headers[name];
  headers[PEER_HEADER] = socket.remoteAddress ?? '';
}

/** What is refused before Next has work with it; null: nothing. */
function refuseAhead({ headers }: IncomingMessage, { path }: Routed): DomainError | null {
  if (!isDecodable(path)) {
    return new DomainError('NOT_FOUND', 'Nothing found at this path: it is not properly encoded.');
  }
  if (Number(headers['content-length']) > MAX_BODY_BYTES) {
    return new DomainError('PAYLOAD_TOO_LARGE', 'The body is larger than 2 MiB.');
  }
  if (path.split('&').length > MAX_PARAMETERS) {
    return new DomainError('VALIDATION_ERROR', `The query has more than ${MAX_PARAMETERS} parameters.`);
  }
  return null;
}

/** Next answers a path that cannot be decoded in plain text, and with 500. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path.split('?')[0] ?? '');
    return true;
  } catch {
    return false;
  }
}
