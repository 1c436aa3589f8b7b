import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import next from 'next';
import { DomainError } from '@/lib/core/errors';
import { FORWARDED_HEADER, isForwarded, PEER_HEADER } from '@/lib/http/local-visit';
import { commonHeaders, problemBody } from '@/lib/http/problem';
import { listenOn } from './listen-on';

export type WebServer = {
  /** Resolves when the application answers; until then only /api/live does. */
  ready: Promise<void>;
  /** Takes no more requests and lets running ones end, for a few seconds. */
  stop(): Promise<void>;
};

const STOP_GRACE_MS = 5000;

/**
 * Listens at once and serves the built Next application from `directory` as soon as it is loaded. Throws StartupError
 * when the port cannot be had.
 */
export async function startWebServer({
  host,
  port,
  directory,
}: {
  host: string;
  port: number;
  directory: string;
}): Promise<WebServer> {
  let answer: RequestListener = answerStarting;
  const server = createServer((request, response) => {
    markPeer(request);
    // The application answers this as well, once it is loaded; and tells who uses another method.
    if (answer === answerStarting && request.url === '/api/live') answerJson(response, 200, { status: 'ok' });
    else if (!isDecodable(request.url ?? '')) answerMalformed(response);
    else answer(request, response);
  });
  // Longer than a load balancer keeps a connection, so that it is never closed under a request.
  server.keepAliveTimeout = 65_000;
  await listenOn(server, { host, port });

  const app = next({ dev: false, dir: directory, hostname: host, port });
  const handle = app.getRequestHandler();
  const ready = app.prepare().then(() => {
    answer = (request, response) => void handle(request, response);
  });
  return {
    ready,
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), STOP_GRACE_MS);
      await closed;
      clearTimeout(timer);
      await app.close();
    },
  };
}

/** Tells the application who is at the other end; a client's own word on that is overwritten. */
function markPeer({ headers, socket }: IncomingMessage): void {
  headers[PEER_HEADER] = socket.remoteAddress ?? '';
  if (isForwarded(Object.keys(headers))) headers[FORWARDED_HEADER] = '1';
}

/** Next answers a path that cannot be decoded in plain text, and with 500. */
function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url.split('?')[0] ?? '');
    return true;
  } catch {
    return false;
  }
}

function answerMalformed(response: ServerResponse): void {
  const refusal = new DomainError('NOT_FOUND', 'There is nothing at this path: it is not properly encoded.');
  const requestId = randomUUID();
  const { status, body } = problemBody(refusal, requestId);
  answerJson(response, status, body, requestId);
}

function answerStarting(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Retry-After', '1');
  if (request.url === '/api/health') answerJson(response, 503, { status: 'unavailable', missing: ['web'] });
  else
    response
      .writeHead(503, { 'Content-Type': 'text/plain' })
      .end('The service is starting. Try again in a moment.\n');
}

function answerJson(
  response: ServerResponse,
  status: number,
  body: object,
  requestId: string = randomUUID(),
): void {
  response
    .writeHead(status, { 'Content-Type': 'application/json', ...commonHeaders(requestId) })
    .end(JSON.stringify(body));
}
