import type { ServerResponse } from 'node:http';
import { DomainError, type ErrorCode } from '@/lib/core/errors';
import { formatTiming } from '@/lib/core/time/duration';
import type { CapturedResponse, WireResponse } from '@/lib/platform/page-front';
import {
  CODE_HEADERS,
  commonHeaders,
  ERROR_STATUS,
  problemBody,
  reportedError,
} from '@/lib/web/http/problem';
import { RateLimitedError } from '@/lib/web/http/rate-limit';
import { requestIdOf } from './requests/request-id';
import { addSecurityHeaders, createDocumentPolicy, PLAIN_SECURITY_HEADERS } from './security-headers';

/** Headers of a single connection, or for internal use. */
const OWN = /^(connection|keep-alive|transfer-encoding|content-length|date|x-pharos-.*)$/;

/** Sends a cached response. */
export function respondStored(response: ServerResponse, { status, head, body }: WireResponse): void {
  head.push('x-request-id', requestIdOf(response.req));
  response.writeHead(status, head);
  if (body === null) response.end();
  else response.end(body);
}

/** Forwards a response of the application, which looks the same whether Next was involved or not. */
export function respondOwn(
  response: ServerResponse,
  { status, headers, body }: CapturedResponse,
  method: string | undefined,
): void {
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !OWN.test(name)) response.setHeader(name, value);
  }
  if (!response.hasHeader('x-request-id')) response.setHeader('X-Request-Id', requestIdOf(response.req));
  removeRoutingVary(response, 'Accept-Encoding');
  // A missing page looks the same for every method.
  addSecurityHeaders(response, createDocumentPolicy());
  response.setHeader('content-length', body.length);
  response.writeHead(status).end(method === 'HEAD' ? undefined : body);
}

/** Responds with an error in the format of the API. */
export function respondProblem(response: ServerResponse, error: unknown): void {
  const { status, body } = problemBody(error, requestIdOf(response.req));
  setHeadersOf(response, body.error.code);
  respondJson(response, status, body);
}

/** Responds to a path that means one of the API, in its format: 308 to the path that is right, or 404 if there is none. */
export function respondMisspelled(response: ServerResponse, to: string | null): void {
  const hint =
    to === null ? 'Paths of the API begin with /api/, in exactly this spelling.' : 'A slash is repeated.';
  const error = new DomainError('NOT_FOUND', `This API path does not exist. ${hint}`);
  const { status, body } = problemBody(error, requestIdOf(response.req));
  if (to !== null) response.setHeader('Location', to);
  respondJson(response, to === null ? status : 308, body);
}

/** Responds 308 for a path that is spelled differently. */
export function respondMoved(response: ServerResponse, to: string): void {
  response.writeHead(308, {
    Location: to,
    ...PLAIN_SECURITY_HEADERS,
    ...commonHeaders(requestIdOf(response.req)),
  });
  response.end();
}

/** Responds with an error: a page for browsers, and the format of the API for others. */
export function respondFailure(
  response: ServerResponse,
  error: unknown,
  { accept }: { accept?: string | undefined },
): void {
  const isLimited = error instanceof RateLimitedError;
  if (isLimited) for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
  if (!accept?.includes('text/html')) {
    respondProblem(response, error);
    return;
  }
  const { code } = reportedError(error);
  setHeadersOf(response, code);
  const shown = isLimited
    ? { title: 'Too many requests', content: `<p>Retry in ${retryTime(error)}.</p>` }
    : {
        title: 'Unavailable',
        content: '<p>This page cannot be shown right now. Try again in a few seconds.</p>',
      };
  respondPage(response, ERROR_STATUS[code], shown);
}

function retryTime({ headers }: RateLimitedError): string {
  return formatTiming(Number(headers['Retry-After']) * 1000);
}

function setHeadersOf(response: ServerResponse, code: ErrorCode): void {
  for (const [name, value] of Object.entries(CODE_HEADERS[code] ?? {})) response.setHeader(name, value);
}

/** Responds with JSON that is not cached. */
export function respondJson(response: ServerResponse, status: number, body: object): void {
  response
    .writeHead(status, {
      'Content-Type': 'application/json',
      ...PLAIN_SECURITY_HEADERS,
      ...commonHeaders(requestIdOf(response.req)),
    })
    .end(JSON.stringify(body));
}

/** Responds 404 for a path that this host does not have; on the host of a page, links to the page. */
export function respondNothingHere(response: ServerResponse, { isPageHost }: { isPageHost: boolean }): void {
  const way = isPageHost ? '<p><a href="/">Status page</a></p>' : '';
  respondPage(response, 404, {
    title: 'Not found',
    content: `<p>There is nothing at this address.</p>${way}`,
  });
}

function respondPage(
  response: ServerResponse,
  status: number,
  { title, content }: { title: string; content: string },
): void {
  const page = `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>${title}</title><h1>${title}</h1>${content}</html>
`;
  response
    .writeHead(status, {
      'Content-Type': 'text/html; charset=utf-8',
      ...PLAIN_SECURITY_HEADERS,
      ...commonHeaders(requestIdOf(response.req)),
    })
    .end(page);
}

/** Removes internal headers before the application writes the head of a response, and lets `complete` add others. */
export function finishHead(response: ServerResponse, complete: (response: ServerResponse) => void): void {
  const { writeHead } = response;
  Object.assign(response, {
    writeHead: (...args: unknown[]) => {
      for (const name of response.getHeaderNames()) {
        if (name.startsWith('x-pharos-')) response.removeHeader(name);
      }
      complete(response);
      return Reflect.apply(writeHead, response, args);
    },
  });
}

/** Next lists the headers of its router on every response, but only its own pages depend on them. Adds `another` header to the others. */
export function removeRoutingVary(response: ServerResponse, another = ''): void {
  const names = `${response.getHeader('vary') ?? ''},${another}`.split(',').map((name) => name.trim());
  const own = names.filter((name) => !/^(rsc|next-.*|)$/i.test(name));
  if (own.length > 0) response.setHeader('Vary', [...new Set(own)].join(', '));
  else response.removeHeader('vary');
}
