import { type IncomingMessage, type RequestListener, request } from 'node:http';
import { DomainError } from '@/lib/core/errors';
import { isForwarded } from '@/lib/web/http/address/request-address';
import { respondProblem } from './respond';

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

/** Forwards calls of Inngest to the worker, with their Host header, which is the address that Inngest registers. */
export function createInngestPass(workerUrl: string): RequestListener {
  const { hostname, port } = new URL(workerUrl);
  return (incoming, response) => {
    const { url: path, method } = incoming;
    // A new connection: a persistent one can be closed during a call, which Inngest would treat as a failed run.
    const to = { hostname, port, path, method, headers: headersOf(incoming), agent: false };
    const onward = request(to, (received) => {
      // These two describe the connection to the worker.
      const { connection, 'keep-alive': keepAlive, ...headers } = received.headers;
      response.writeHead(received.statusCode ?? 502, headers);
      received.pipe(response);
    });
    onward.on('error', () => {
      if (response.headersSent) response.destroy();
      else
        respondProblem(
          response,
          new DomainError('INTERNAL_ERROR', 'The worker does not respond. Try again later.'),
        );
    });
    response.on('close', () => onward.destroy());
    incoming.pipe(onward);
  };
}

/** Calls from other machines must not look local, because that is how a development server is authenticated. */
function headersOf({ headers, socket }: IncomingMessage): IncomingMessage['headers'] {
  const peer = socket.remoteAddress ?? 'unknown';
  if (LOOPBACK.test(peer) || isForwarded(Object.keys(headers))) return headers;
  return { ...headers, 'x-forwarded-for': peer };
}
