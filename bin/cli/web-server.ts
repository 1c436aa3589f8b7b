import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import next from 'next';
import { answerJson } from '../web/answers';
import { listenOn } from './listen-on';

export type WebServer = {
  /** Resolves with the application when it is loaded. */
  application: Promise<RequestListener>;
  /** Lets `listener` answer from now on; until then only /api/live is answered. */
  open(listener: RequestListener): void;
  /** Takes no more requests and lets running ones end, for a few seconds. */
  stop(): Promise<void>;
};

const STOP_GRACE_MS = 5000;

/** Listens at once and loads the built Next application from `directory`. Throws StartupError when the port cannot be had. */
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
  const server = createServer((request, response) => answer(request, response));
  // Longer than a load balancer keeps a connection, so that it is never closed under a request.
  server.keepAliveTimeout = 65_000;
  await listenOn(server, { host, port });

  const app = next({ dev: false, dir: directory, hostname: host, port });
  const handle = app.getRequestHandler();
  return {
    application: app.prepare().then(() => (request, response) => void handle(request, response)),
    open: (listener) => {
      answer = listener;
    },
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

function answerStarting({ url }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Retry-After', '1');
  // The application answers this as well, once it is loaded; and tells who uses another method.
  if (url === '/api/live') answerJson(response, 200, { status: 'ok' });
  else if (url === '/api/health') answerJson(response, 503, { status: 'unavailable', missing: ['web'] });
  else
    response
      .writeHead(503, { 'Content-Type': 'text/plain' })
      .end('The service is starting. Try again in a moment.\n');
}
