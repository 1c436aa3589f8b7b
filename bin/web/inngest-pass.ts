import { type IncomingMessage, type RequestListener, request } from 'node:http';
import { DomainError } from '@/lib/core/errors';
import { isForwarded } from '@/lib/web/http/request-address';
import { answerProblem } from './answers';

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

/**
 * Passes Inngest's calls on to the worker at `workerUrl`, which knows what they are for and checks their signatures. The
 * host stays as it was, for it is what Inngest is told as the address.
 */
export function createInngestPass(workerUrl: string): RequestListener {
  const { hostname, port } = new URL(workerUrl);
  return (incoming, response) => {
    const { url: path, method } = incoming;
    // A connection of its own: one that is kept can be closed under a call, which Inngest would take for a failed run.
    const to = { hostname, port, path, method, headers: headersOf(incoming), agent: false };
    const onward = request(to, (answer) => {
      // Those two are of the connection to the worker.
      const { connection, 'keep-alive': keepAlive, ...headers } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, headers);
      answer.pipe(response);
    });
    onward.on('error', () => {
      if (response.headersSent) response.destroy();
      else answerProblem(response, new DomainError('INTERNAL_ERROR', 'The worker does not answer.'));
    });
    response.on('close', () => onward.destroy());
    incoming.pipe(onward);
  };
}

/** A call from another machine must not look like one from this one, for that is all a development server has to show. */
function headersOf({ headers, socket }: IncomingMessage): IncomingMessage['headers'] {
  const peer = socket.remoteAddress ?? 'unknown';
  if (LOOPBACK.test(peer) || isForwarded(Object.keys(headers))) return headers;
  return { ...headers, 'x-forwarded-for': peer };
}
