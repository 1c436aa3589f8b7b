import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import { isLocalVisit } from '@/lib/web/http/local-visit';
import type { AppEndpoint } from './app-endpoint';

/** What runs send is small: a few events, and the results of a few steps. */
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * The endpoints on the worker's server, where Inngest calls them. With `localOnly` nobody but this
 * machine may call: for a development server, whose calls carry no signature. `onSync` hears under which address the server
 * has just synced an app.
 */
export function createListener({
  endpoints,
  localOnly,
  onSync,
  log,
}: {
  endpoints: AppEndpoint[];
  localOnly: boolean;
  onSync: (origin: string) => void;
  log: Logger;
}): RequestListener {
  const answerEndpoint = async (
    endpoint: AppEndpoint,
    incoming: IncomingMessage,
    response: ServerResponse,
  ) => {
    const body = await readBody(incoming);
    if (body === null) return answerJson(response, 413, 'The body is too large.');
    const request = toRequest(incoming, body);
    const answer = await endpoint.answer(request);
    const text = await answer.text();
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(text);
    if (incoming.method === 'PUT' && answer.ok) onSync(new URL(request.url).origin);
  };

  return (incoming, response) => {
    const path = incoming.url?.split('?')[0];
    const endpoint = endpoints.find((one) => one.path === path);
    if (!endpoint) return answerJson(response, 404, 'There is nothing at this path.');
    if (localOnly && !isFromHere(incoming)) {
      return answerJson(
        response,
        403,
        'Without signatures only this machine may call. Set INNGEST_SIGNING_KEY.',
      );
    }
    answerEndpoint(endpoint, incoming, response).catch((error: unknown) => {
      log.error({ error: describeError(error), path }, 'a call of Inngest could not be answered');
      if (response.headersSent) response.destroy();
      else answerJson(response, 500, 'The call could not be answered.');
    });
  };
}

function isFromHere({ headers, socket }: IncomingMessage): boolean {
  const names = Object.keys(headers);
  const visit = { peer: socket.remoteAddress ?? null, host: headers.host ?? null, names };
  return isLocalVisit(visit);
}

/** The body as text; null where there is more than a call can have. */
async function readBody(incoming: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function toRequest({ url = '/', method = 'GET', headers }: IncomingMessage, body: string): Request {
  const scheme = headers['x-forwarded-proto'] === 'https' ? 'https' : 'http';
  const pairs = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || HOP_BY_HOP.has(name) ? [] : [[name, [value].flat().join(', ')]],
  );
  const hasBody = method !== 'GET' && method !== 'HEAD' && body !== '';
  const target = new URL(url, `${scheme}://${headers.host ?? 'localhost'}`);
  return new Request(target, { method, headers: pairs, ...(hasBody ? { body } : {}) });
}

/** Of the connection, not of the call; `Request` refuses some of them. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'expect',
  'te',
  'trailer',
]);

function answerJson(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ message }));
}
