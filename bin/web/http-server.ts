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
import { clientAddress, countedAddress, isTrustedProxy } from '@/lib/web/http/address/request-address';
import { removeForeignId } from './requests/request-id';
import { finishHead, respondProblem } from './respond';

type HttpServerOptions = {
  /** Maximum connections per address (per /64 for IPv6). Loopback and `trustedProxies` have no limit. */
  maxConnectionsPerAddress: number;
  trustedProxies: readonly string[];
  log: Logger;
  deadlines?: Partial<typeof DEADLINES>;
};

/** Deadlines of a connection, in milliseconds. */
const DEADLINES = {
  /** To receive the head of a request, from its first byte or the start of the connection. */
  headersMs: 20_000,
  /** To receive a whole request, including its body. */
  requestMs: 60_000,
  /** To receive the next request on a connection. Load balancers keep it shorter, so it is never closed during a request. */
  idleMs: 65_000,
  /** For a client to read more of a response. */
  unreadMs: 60_000,
  /** For a client to stop sending after it got its response. */
  drainMs: 1000,
  /** How often the first two are checked; they can be exceeded by this. */
  checkMs: 2000,
};

/** Maximum bytes to read and discard from a client that keeps sending after its response. */
const MAX_DRAIN_BYTES = 8 * 1024 * 1024;

const LOOPBACK = ['127.0.0.0/8', '::1'];

/**
 * An HTTP/1.1 server that owns its sockets: it never hands them over, enforces deadlines, and closes a connection after a
 * request that was not read to its end. `listener` is called for requests, but not for upgrades.
 *
 * Never add an 'upgrade' listener. Without one, Node serves upgrade requests like any other (RFC 9110, 7.8). With one, it hands
 * over the socket of every such request, and nothing closes it.
 */
export function createHttpServer(
  listener: RequestListener,
  { maxConnectionsPerAddress, trustedProxies, log, deadlines }: HttpServerOptions,
): Server {
  const { headersMs, requestMs, idleMs, unreadMs, drainMs, checkMs } = { ...DEADLINES, ...deadlines };
  // Next removes the socket from the request, so read it first.
  const closeAfter = (response: ServerResponse, socket: Socket) => {
    response.setHeader('Connection', 'close');
    // Node calls this after the last response on a connection.
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
      removeForeignId(request, trustedProxies);
      response.on('timeout', destroyUnread);
      const { upgrade } = request.headers;
      if (upgrade !== undefined) {
        // Node drops a request that arrives together with an upgrade request.
        closeAfter(response, socket);
        if (/\bwebsocket\b/i.test(upgrade)) {
          const text = 'WebSocket connections are not supported. Send a plain HTTP request.';
          return respondProblem(response, new DomainError('VALIDATION_ERROR', text));
        }
      } else if (hasBody(request)) {
        // Uses an event, because Next replaces this stream.
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

/** Ends a connection whose client does not read. Streams and slow responses have nothing left to send, and continue. */
function destroyUnread(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy();
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** Ends a connection, but reads for a while: a reset could lose the response of a client that is still sending. */
function drain(socket: Socket, ms: number): void {
  // Further data is not a request, so keep it from the parser.
  socket.removeAllListeners('data').removeAllListeners('end');
  let bytes = 0;
  socket.on('data', ({ length }: Buffer) => {
    bytes += length;
    // The client can use the remaining time to read its response.
    if (bytes > MAX_DRAIN_BYTES) socket.pause();
  });
  socket.on('end', () => socket.destroy());
  socket.on('error', () => socket.destroy());
  const timer = setTimeout(() => socket.destroy(), ms);
  socket.on('close', () => clearTimeout(timer));
  socket.end();
  socket.resume();
}

/** The limit is per address (per /64 for IPv6); exempt addresses have none. */
type ConnectionLimit = { maxPerAddress: number; isExempt(address: string): boolean; log: Logger };

const REFUSALS_LOGGED_MS = 60_000;

/** Closes connections beyond `maxPerAddress` of an address. Logs such an address at most once a minute. */
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
      const text = 'connection rejected: its address has reached MAX_CONNECTIONS_PER_ADDRESS';
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

/** The address of the peer, without the zone of a link-local one; null for a client that has disconnected. */
function addressOf({ remoteAddress }: Socket): string | null {
  const peer = remoteAddress?.split('%')[0] ?? null;
  return clientAddress({ peer, forwardedFor: null }, []);
}
