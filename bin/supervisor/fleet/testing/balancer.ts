import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type HttpListener, listenLocally } from '@/lib/testing/http-listener';

/** A load balancer on this machine, in front of web processes. */
export type Balancer = HttpListener & {
  /** Has further requests go to another address in this place. */
  replace(place: number, url: string): void;
};

type Exchange = { method: string; path: string; headers: IncomingMessage['headers']; body: Buffer };
type Reply = { status: number; headers: IncomingMessage['headers']; body: Buffer };

/**
 * Sends requests to these addresses in turns. As proxies do by default, it keeps connections, and tries the next address if one cannot be
 * reached or is starting (503 with Retry-After); a POST only if it was not sent. 502 if none responds.
 */
export async function startBalancer(urls: readonly string[]): Promise<Balancer> {
  const upstreams = [...urls];
  const agent = new Agent({ keepAlive: true });
  let turn = 0;
  const forward = async (exchange: Exchange): Promise<Reply> => {
    turn += 1;
    const inTurn = upstreams.map((_, place) => upstreams[(turn + place) % upstreams.length] ?? '');
    for (const url of inTurn) {
      const reply = await send(url, exchange, agent).catch((error: NodeJS.ErrnoException) => {
        const isUnsent = error.code === 'ECONNREFUSED';
        if (isUnsent || exchange.method === 'GET') return null;
        throw error;
      });
      if (reply !== null && !isStarting(reply)) return reply;
    }
    return badGateway('no upstream responds');
  };
  const respond = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url: path = '/', headers } = incoming;
    const exchange = { method, path, headers, body: await buffer(incoming) };
    const {
      status,
      headers: own,
      body,
    } = await forward(exchange).catch((error) => badGateway(String(error)));
    const { 'transfer-encoding': _, connection: __, ...kept } = own;
    response.writeHead(status, { ...kept, 'content-length': body.length }).end(body);
  };
  const listener = await listenLocally(
    createServer((incoming, response) => {
      void respond(incoming, response);
    }),
  );
  return {
    ...listener,
    replace: (place, url) => {
      upstreams[place] = url;
    },
    close: async () => {
      agent.destroy();
      await listener.close();
    },
  };
}

const isStarting = ({ status, headers }: Reply) => status === 503 && headers['retry-after'] !== undefined;

const badGateway = (reason: string): Reply => ({ status: 502, headers: {}, body: Buffer.from(reason) });

function send(url: string, { method, path, headers, body }: Exchange, agent: Agent): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const options = { method, agent, headers: { ...headers, connection: 'keep-alive' } };
    const outgoing = request(`${url}${path}`, options, (incoming) => {
      buffer(incoming).then(
        (own) => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: own }),
        reject,
      );
    });
    outgoing.on('error', reject).end(body);
  });
}
