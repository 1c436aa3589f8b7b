import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { DomainError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import { clientAddress, countedAddress, isTrustedProxy } from '@/lib/web/http/request-address';
import { answerProblem, finishHead } from './answers';

/** Until when something has to happen on a connection, in milliseconds. */
export type Deadlines = {
  /** For the head of a request, from its first byte or, on a new connection, from its beginning. */
  headersMs: number;
  /** For a whole request, body included. */
  requestMs: number;
  /** For the next request on a connection. */
  idleMs: number;
  /** For a client to take some more of a response that it was sent. */
  unreadMs: number;
  /** For a client to stop sending after its response. */
  drainMs: number;
  /** How often the first two are looked at: they can be exceeded by this. */
  checkMs: number;
};

export type HttpServerOptions = {
  /** How many connections one address may hold (one /64 of IPv6). Loopback and `trustedProxies` may hold any number. */
  maxConnectionsPerAddress: number;
  trustedProxies: readonly string[];
  log: Logger;
  deadlines?: Partial<Deadlines>;
};

const DEADLINES: Deadlines = {
  headersMs: 20_000,
  requestMs: 60_000,
  // Longer than a load balancer keeps a connection, so that it is never closed under a request.
  idleMs: 65_000,
  unreadMs: 60_000,
  drainMs: 1000,
  checkMs: 2000,
};

/** Of what a client goes on sending after its response, so much is read and dropped. */
const MAX_DRAIN_BYTES = 8 * 1024 * 1024;

const LOOPBACK = ['127.0.0.0/8', '::1'];

/**
 * An HTTP/1.1 server that owns its sockets: none is handed to anybody else, none outlives its deadline, and none serves
 * another request after one that was not read to its end. `listener` is called for what is a request and no upgrade.
 *
 * Never add an 'upgrade' listener to it. Without one Node serves a request to upgrade like any other, as RFC 9110, 7.8
 * allows; with one it hands over the socket of every such request, which then is closed by nobody.
 */
export function createHttpServer(
  listener: RequestListener,
  { maxConnectionsPerAddress, trustedProxies, log, deadlines }: HttpServerOptions,
): Server {
  const { headersMs, requestMs, idleMs, unreadMs, drainMs, checkMs } = { ...DEADLINES, ...deadlines };
  // Next takes the socket from the request, so it is to be had at the beginning alone.
  const closeAfter = (response: ServerResponse, socket: Socket) => {
    response.setHeader('Connection', 'close');
    // Node calls this after the last response over a connection.
    socket.destroySoon = () => drain(socket, drainMs);
  };
  const server = createServer(
    {
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      keepAliveTimeout: idleMs,
      connectionsCheckingInterval: checkMs,
    },
    (request, response) => {
      const { socket } = request;
      // Streams and calls that take their time have nothing unread, and go on.
      response.on('timeout', () => {
        if (socket.writableLength > 0) socket.destroy();
      });
      const { upgrade } = request.headers;
      if (upgrade !== undefined) {
        // Node loses a request that came in one piece with a request to upgrade.
        closeAfter(response, socket);
        if (/\bwebsocket\b/i.test(upgrade)) {
          const text = 'WebSocket connections are not supported. Send a plain HTTP request.';
          return answerProblem(response, new DomainError('VALIDATION_ERROR', text));
        }
      } else if (hasBody(request)) {
        // By an event, for Next puts other streams in the place of this one.
        let isRead = false;
        request.once('end', () => {
          isRead = true;
        });
        finishHead(response, () => {
          if (!isRead) closeAfter(response, socket);
        });
      }
      listener(request, response);
    },
  );
  server.setTimeout(unreadMs);
  server.on('connect', (_, socket: Socket) => {
    socket.end('HTTP/1.1 405 Method Not Allowed\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    drain(socket, drainMs);
  });
  const isExempt = (address: string) => isTrustedProxy(address, [...LOOPBACK, ...trustedProxies]);
  limitConnections(server, { maxPerAddress: maxConnectionsPerAddress, isExempt, log });
  return server;
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/**
 * Ends a connection, and for a while reads and drops what else comes. Closing it at once would reset it, and the reset can
 * take the response away from a client that still sends.
 */
function drain(socket: Socket, ms: number): void {
  // What follows is no request: the parser is to see none of it.
  socket.removeAllListeners('data').removeAllListeners('end');
  let bytes = 0;
  socket.on('data', ({ length }: Buffer) => {
    bytes += length;
    // The client has the rest of the time to read its response.
    if (bytes > MAX_DRAIN_BYTES) socket.pause();
  });
  socket.on('end', () => socket.destroy());
  socket.on('error', () => socket.destroy());
  const timer = setTimeout(() => socket.destroy(), ms);
  socket.on('close', () => clearTimeout(timer));
  socket.end();
  socket.resume();
}

type ConnectionLimit = {
  /** How many connections one address may hold (one /64 of IPv6). */
  maxPerAddress: number;
  /** Whether an address may hold any number. */
  isExempt(address: string): boolean;
  log: Logger;
};

const REFUSALS_LOGGED_MS = 60_000;

/** Closes connections beyond `maxPerAddress` from one address. At most once a minute the log names one of them. */
export function limitConnections(server: Server, { maxPerAddress, isExempt, log }: ConnectionLimit): void {
  const open = new Map<string, number>();
  let loggedAt = Number.NEGATIVE_INFINITY;
  server.on('connection', (socket) => {
    const address = addressOf(socket);
    if (address === null) return void socket.destroy();
    if (isExempt(address)) return;
    const counted = countedAddress(address);
    const connections = (open.get(counted) ?? 0) + 1;
    if (connections > maxPerAddress) {
      socket.destroy();
      if (performance.now() - loggedAt < REFUSALS_LOGGED_MS) return;
      loggedAt = performance.now();
      const text = 'a connection was refused: its address has as many as MAX_CONNECTIONS_PER_ADDRESS allows';
      return log.warn({ address: counted, maxPerAddress }, text);
    }
    open.set(counted, connections);
    socket.on('close', () => {
      const left = (open.get(counted) ?? 1) - 1;
      if (left === 0) open.delete(counted);
      else open.set(counted, left);
    });
  });
}

/** The address at the other end, without the zone of a link-local one; null for a client that has left already. */
function addressOf({ remoteAddress }: Socket): string | null {
  const peer = remoteAddress?.split('%')[0] ?? null;
  return clientAddress({ peer, forwardedFor: null }, []);
}
