import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { connectGuarded } from './connect';
import { startDeadline } from './deadline';
import { exchangeHttp, type HttpAnswer, type HttpMessage } from './http-exchange';
import type { KeptConnections } from './kept-connections';
import { createProgress, type ExchangeProgress, type ExchangeTimings, NetError } from './net-error';
import type { Resolver } from './resolve';
import type { TargetPolicy } from './target-policy';
import { startTls } from './tls';

export type GuardedRequest = {
  url: string | URL;
  method: string;
  /** `Host`, `Connection` and `Content-Length` are set here; `Accept-Encoding: identity` unless it is given. */
  headers?: Record<string, string>;
  body?: string | Buffer | null;
  policy: TargetPolicy;
  resolver?: Resolver;
  /** Milliseconds for the whole exchange, from the resolution of the name to the end of the body. */
  deadline: number;
  /** How much of the body is read at most. */
  maxBodyBytes: number;
  /** Whether the certificate must be valid; true unless set. */
  tlsVerify?: boolean;
  /** The authorities to trust instead of Node's. */
  secureContext?: SecureContext;
  signal?: AbortSignal;
  /** Leaves the connection open for a moment, for the next exchange of the same owner with the same origin. */
  kept?: { connections: KeptConnections; owner: string };
};

export type GuardedResponse = HttpAnswer & {
  timings: ExchangeTimings;
  remoteAddress: string;
  /** When the server's certificate ends; null without TLS. */
  certificateExpiresAt: Date | null;
  /** Who signed it. */
  certificateIssuer: string | null;
};

/**
 * One HTTP exchange over a guarded connection, which is closed afterwards unless `kept` says otherwise. Redirects are not
 * followed. Throws `NetError` (its `progress` says how far the exchange came), or the signal's reason.
 */
export async function requestGuarded(options: GuardedRequest): Promise<GuardedResponse> {
  const deadline = startDeadline(options.deadline, options.signal);
  let progress = createProgress();
  try {
    if (options.kept) {
      try {
        return await exchangeKept(options, options.kept, progress, deadline.signal);
      } catch (error) {
        if (!isStale(error, progress)) throw error;
        progress = createProgress();
      }
    }
    return await exchange(options, progress, deadline.signal);
  } catch (error) {
    if (error instanceof NetError) error.progress = progress;
    throw error;
  } finally {
    deadline.release();
  }
}

/** A peer may close a kept connection at the very moment at which it is used: that says nothing of the request. */
function isStale(error: unknown, { isReused, statusCode }: ExchangeProgress): boolean {
  return isReused && statusCode === null && error instanceof NetError && error.code === 'connection_lost';
}

async function exchange(
  options: GuardedRequest,
  progress: ExchangeProgress,
  signal: AbortSignal,
): Promise<GuardedResponse> {
  const message = readMessage(options);
  const { socket, close } = await open(options, message.url, progress, signal);
  try {
    const { maxBodyBytes } = options;
    const port = portOf(message.url);
    const answer = await exchangeHttp({ connection: socket, message, maxBodyBytes, port, progress, signal });
    return respond(answer, progress);
  } finally {
    close();
  }
}

async function exchangeKept(
  options: GuardedRequest,
  { connections, owner }: NonNullable<GuardedRequest['kept']>,
  progress: ExchangeProgress,
  signal: AbortSignal,
): Promise<GuardedResponse> {
  const message = readMessage(options);
  const connection = {
    agent: connections.agent,
    name: `${owner} ${message.url.origin}`,
    connect: async () => {
      const { socket, close } = await open(options, message.url, progress, signal);
      return socket.once('close', close);
    },
  };
  const { maxBodyBytes } = options;
  const port = portOf(message.url);
  const answer = await exchangeHttp({ connection, message, maxBodyBytes, port, progress, signal });
  return respond(answer, progress);
}

function readMessage({ url, method, headers = {}, body = null }: GuardedRequest): HttpMessage {
  return { url: parseHttpUrl(url), method, headers, body };
}

function respond(answer: HttpAnswer, progress: ExchangeProgress): GuardedResponse {
  const { timings, certificateExpiresAt, certificateIssuer, remoteAddress } = progress;
  return { ...answer, timings, remoteAddress: remoteAddress ?? '', certificateExpiresAt, certificateIssuer };
}

/** Opens a connection and speaks TLS over it where the address says so; `close` leaves nothing of it open. */
async function open(
  options: GuardedRequest,
  url: URL,
  progress: ExchangeProgress,
  signal: AbortSignal,
): Promise<{ socket: Socket; close: () => void }> {
  const { policy, resolver } = options;
  const port = portOf(url);
  const { timings } = progress;
  const onResolved = (ms: number) => {
    timings.dns = ms;
  };
  const connection = await connectGuarded({ host: url.hostname, port, policy, resolver, signal, onResolved });
  const { address, socket } = connection;
  timings.connect = connection.timings.connect;
  progress.remoteAddress = address;
  if (url.protocol !== 'https:') return { socket, close: () => socket.destroy() };
  const tls = await secure(options, { socket, url, address, port }, progress, signal);
  const close = () => {
    tls.destroy();
    socket.destroy();
  };
  return { socket: tls, close };
}

async function secure(
  { tlsVerify = true, secureContext }: GuardedRequest,
  peer: { socket: Socket; url: URL; address: string; port: number },
  progress: ExchangeProgress,
  signal: AbortSignal,
): Promise<Socket> {
  const begun = performance.now();
  const { socket, url, address, port } = peer;
  const onCertificate = (certificate: { expiresAt: Date; issuer: string | null }) => {
    progress.certificateExpiresAt = certificate.expiresAt;
    progress.certificateIssuer = certificate.issuer;
  };
  const tls = await startTls({
    socket,
    host: url.hostname,
    address,
    port,
    verify: tlsVerify,
    secureContext,
    signal,
    onCertificate,
  });
  progress.timings.tls = performance.now() - begun;
  return tls;
}

function portOf(url: URL): number {
  return Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
}

function parseHttpUrl(url: string | URL): URL {
  const parsed = URL.canParse(url.toString()) ? new URL(url) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw new NetError('protocol', 'the address is not an http or https URL');
  }
  return parsed;
}
