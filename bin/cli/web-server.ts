import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import next from 'next';
import type { HealthBody } from '@/lib/schemas/health';
import { answerJson } from '../web/answers';
import { createHttpServer, type HttpServerOptions } from '../web/http-server';
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
  development = false,
  ...options
}: HttpServerOptions & {
  host: string;
  port: number;
  directory: string;
  /** Serves the sources as they are edited, and tells open pages over a WebSocket. */
  development?: boolean;
}): Promise<WebServer> {
  let answer: RequestListener = answerStarting;
  const server = createHttpServer((request, response) => answer(request, response), options);
  await listenOn(server, { host, port });

  // Next takes every upgrade of the server that it is given, or else of the one a request came from, and closes none that it
  // does not know: it gets one that nobody connects to.
  const app = next({
    dev: development,
    dir: directory,
    hostname: host,
    port,
    // In development, pages hear about edits over a WebSocket.
    httpServer: development ? server : createServer(),
  });
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

const STARTING: HealthBody = {
  status: 'down',
  parts: [
    {
      name: 'web',
      status: 'down',
      since: new Date().toISOString(),
      message: 'The web application is starting. Try again in a moment.',
    },
  ],
};

function answerStarting({ url }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Retry-After', '1');
  // The application answers this as well, once it is loaded; and tells who uses another method.
  if (url === '/api/live') answerJson(response, 200, { status: 'ok' });
  else if (url === '/api/health') answerJson(response, 503, STARTING);
  else
    response
      .writeHead(503, { 'Content-Type': 'text/plain' })
      .end('The service is starting. Try again in a moment.\n');
}
