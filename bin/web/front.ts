import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Clock } from '@/lib/core/clock';
import { DomainError, describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import { PAGE_HOST_HEADER, REFRESH_HEADER } from '@/lib/platform/page-front/captured-answer';
import type { HostedPage } from '@/lib/platform/page-front/hosts/resolve-host';
import { isInngestPath, resolveHost } from '@/lib/platform/page-front/hosts/resolve-host';
import type { Ask, PageCache, Served } from '@/lib/platform/page-front/page-cache';
import { type PageRequest, readPageRequest } from '@/lib/platform/page-front/page-request';
import { toWire } from '@/lib/platform/page-front/wire-answer';
import { commonHeaders } from '@/lib/web/http/problem';
import { PEER_HEADER } from '@/lib/web/http/request-address';
import { answerNothingHere, answerOwn, answerProblem, answerStored, finishHead } from './answers';
import type { Application } from './application';
import { MAX_BODY_BYTES } from './bounded-bodies';
import { type Incoming, markPeer, readIncoming } from './incoming';
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

/** A request after routing: `path` as it is on the app's host. */
type Routed = Incoming & { isPageHost: boolean };

/**
 * The listener of the web server: decides what a host shows, answers status pages from the shared cache, and passes
 * everything else on to the application.
 */
export function createFront(options: FrontOptions): RequestListener {
  const { appUrl, trustedProxies, findPage, cache, application, pass, passToWorker, clock, log } = options;
  const { development = false } = options;
  const appHost = appUrl === undefined ? null : new URL(appUrl).hostname;
  const hosts = { appHost, findPage };
  const isSecureApp = appUrl?.startsWith('https:') ?? false;

  const originOf = ({ host, scheme, isPageHost }: Routed): string => {
    if (isPageHost) return `${scheme}://${host.name}`;
    return appUrl ?? `${scheme}://${host.name}${host.port === '' ? '' : `:${host.port}`}`;
  };

  const answer = (served: Served, request: IncomingMessage, response: ServerResponse, routed: Routed) => {
    if (served.kind === 'tooLarge') return passOn(request, response, routed);
    if (served.kind === 'own') return answerOwn(response, served.answer, request.method);
    const now = clock.now().getTime();
    const wire = toWire(served.answer, readerOf(request), now, served.isStale);
    if (!(wire instanceof Promise)) return answerStored(response, wire);
    wire
      .then((made) => answerStored(response, made))
      .catch((error: unknown) => fail(error, response, routed));
  };

  const fail = (error: unknown, response: ServerResponse, { path }: Routed) => {
    log.error({ error: describeError(error), path }, 'a status page could not be answered');
    if (response.headersSent) response.destroy();
    else answerProblem(response, error);
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
    const incoming = readIncoming(request, trustedProxies);
    if (incoming === null) {
      const text = 'The request does not name one valid host.';
      return answerProblem(response, new DomainError('VALIDATION_ERROR', text));
    }
    const [pathname = '', query] = cutQuery(incoming.path);
    const action = resolveHost(incoming.host.name, pathname, hosts);
    if (action.to === 'notFound') {
      const isPageHost = action.reason === 'no path of the page';
      if (!pathname.startsWith('/api/')) return answerNothingHere(response, { isPageHost });
      return answerProblem(response, new DomainError('NOT_FOUND', 'There is nothing at this path.'));
    }
    const isPageHost = action.to === 'page';
    if (isSecureApp && !isPageHost) response.setHeader('Strict-Transport-Security', TRANSPORT_SECURITY);
    if (!isPageHost && passToWorker !== null && isInngestPath(pathname))
      return passToWorker(request, response);
    const routed = { ...incoming, isPageHost, path: isPageHost ? action.path + query : incoming.path };
    const asked = isForCache(request)
      ? readPageRequest({
          path: routed.path,
          origin: originOf(routed),
          isPageHost,
          acceptLanguage: request.headers['accept-language'],
        })
      : null;
    if (asked === null || cache === null) return passOn(request, response, routed);
    const kept = cache.hit(asked);
    if (kept !== undefined)
      return answer({ kind: 'stored', answer: kept, isStale: false }, request, response, routed);
    cache
      .serve(asked, askFor(application, request))
      .then((served) => answer(served, request, response, routed))
      .catch((error: unknown) => fail(error, response, routed));
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

/** Asks the application on behalf of a visitor, or of nobody: with what is part of the key, and who is to be counted. */
function askFor(application: Application, { headers, socket }: IncomingMessage): Ask {
  return ({ path, origin, language, isPageHost }: PageRequest, isRefresh) => {
    const [scheme = '', host = ''] = origin.split('://');
    const forwardedFor = headers['x-forwarded-for'];
    return application.ask(path, {
      host,
      'x-forwarded-host': host,
      'x-forwarded-proto': scheme,
      ...(language === null ? {} : { 'accept-language': language }),
      ...(isPageHost ? { [PAGE_HOST_HEADER]: '1' } : {}),
      ...(isRefresh
        ? { [REFRESH_HEADER]: '1' }
        : {
            [PEER_HEADER]: socket.remoteAddress ?? '',
            ...(forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }),
          }),
    });
  };
}

function isForCache({ method, headers }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && headers.authorization === undefined;
}

function readerOf({ method, headers }: IncomingMessage) {
  return {
    method,
    acceptEncoding: headers['accept-encoding']?.toString(),
    ifNoneMatch: headers['if-none-match'],
  };
}

/** A path and its query, question mark included. */
function cutQuery(path: string): [path: string, query: string] {
  const cut = path.indexOf('?');
  return cut < 0 ? [path, ''] : [path.slice(0, cut), path.slice(cut)];
}

/** What is refused before Next has work with it; null: nothing. */
function refuseAhead({ headers }: IncomingMessage, { path }: Routed): DomainError | null {
  if (!isDecodable(path)) {
    return new DomainError('NOT_FOUND', 'There is nothing at this path: it is not properly encoded.');
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
    decodeURIComponent(cutQuery(path)[0]);
    return true;
  } catch {
    return false;
  }
}
